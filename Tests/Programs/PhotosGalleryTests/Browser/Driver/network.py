#!/usr/bin/python3
"""Tests the gallery from another machine: a browser in a separate network namespace signs in by name, by
address and through an encrypting proxy. Prints a line of JSON per check, like run.py.

    unshare --net network.py --photos .build/debug/photos --samples FOLDER

This process and the gallery are on the machine HERE. It starts a second instance of itself as the machine
THERE. Neither has any other connection.
"""

import argparse
import base64
import fcntl
import hashlib
import http.client
import json
import os
import pty
import re
import select
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
import urllib.parse
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
sys.dont_write_bytecode = True

HERE = ("10.77.0.1", "fd77::1")
THERE = ("10.77.0.2", "fd77::2")
NAME = "photos.home.arpa"
PASSWORD = "correct horse"


def say(check, ok, message=""):
    print(json.dumps({"part": "network", "check": check, "ok": ok, "message": message}), flush=True)
    return ok


def ip(*arguments):
    subprocess.run(["ip", *arguments], check=True)


class Served:
    """A `photos serve` process, with its link and its output."""

    def __init__(self, photos, environment, *arguments):
        self.process = subprocess.Popen(
            [photos, "serve", "--json", *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError("photos serve gave no link: " + self.process.stderr.read())
        told = json.loads(line)
        self.port = told["port"]
        self.addresses = told["addresses"]

    def stop(self):
        self.process.terminate()
        return self.process.communicate(timeout=30)[1]


class Proxy(threading.Thread):
    """Terminates TLS on a port and forwards requests to another, with the headers of a proxy."""

    def __init__(self, certificate, key, port):
        super().__init__(daemon=True)
        self.port = port
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        listening = socket.create_server(("::", 443), family=socket.AF_INET6, dualstack_ipv6=True)
        self.listening = context.wrap_socket(listening, server_side=True, do_handshake_on_connect=False)

    def run(self):
        while True:
            try:
                client, address = self.listening.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client, address[0].removeprefix("::ffff:")), daemon=True).start()

    def serve(self, client, address):
        try:
            client.do_handshake()
            gallery = socket.create_connection(("127.0.0.1", self.port))
        except OSError:
            return
        threading.Thread(target=self.copy, args=(gallery, client), daemon=True).start()
        # Heads are forwarded with the proxy's headers, bodies unchanged.
        stream = client.makefile("rb")
        try:
            while True:
                head = []
                length = 0
                for line in iter(stream.readline, b"\r\n"):
                    if not line:
                        return
                    name = line.split(b":")[0].lower()
                    if name == b"content-length":
                        length = int(line.split(b":")[1])
                    if name != b"forwarded":
                        head.append(line)
                own = f"X-Forwarded-For: {address}\r\nX-Forwarded-Proto: https\r\n\r\n"
                gallery.sendall(b"".join(head) + own.encode())
                while length > 0:
                    part = stream.read(min(length, 65536))
                    if not part:
                        return
                    gallery.sendall(part)
                    length -= len(part)
        except OSError:
            pass
        finally:
            for end in (gallery, client):
                try:
                    end.shutdown(socket.SHUT_RDWR)
                except OSError:
                    pass

    @staticmethod
    def copy(source, target):
        try:
            while part := source.recv(65536):
                target.sendall(part)
        except OSError:
            pass
        try:
            target.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def certificate(folder):
    """Creates a certificate for NAME, its key, and the key's hash that a browser may trust."""
    chain, key = folder / "photos.pem", folder / "photos.key"
    subprocess.run(
        [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "ec",
            "-pkeyopt",
            "ec_paramgen_curve:prime256v1",
            "-nodes",
            "-days",
            "2",
            "-subj",
            f"/CN={NAME}",
            "-addext",
            f"subjectAltName=DNS:{NAME}",
            "-keyout",
            key,
            "-out",
            chain,
        ],
        check=True,
        capture_output=True,
    )
    key.chmod(0o600)
    public = subprocess.run(
        ["openssl", "pkey", "-in", key, "-pubout", "-outform", "der"], check=True, capture_output=True
    ).stdout
    return chain, key, base64.b64encode(hashlib.sha256(public).digest()).decode()


# The machine HERE


def qr_code(photos, environment):
    """Returns the QR code that a phone reads from the terminal of `photos serve --lan`, and the whole output."""
    from PIL import Image
    from pyzbar.pyzbar import decode

    terminal, own = pty.openpty()
    fcntl.ioctl(own, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 100, 0, 0))
    process = subprocess.Popen(
        [photos, "serve", "--lan"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=own,
        text=True,
        env={**environment, "TERM": "xterm-256color"},
    )
    os.close(own)
    shown = b""
    end = time.monotonic() + 60
    while b"Ctrl-C to stop" not in shown and time.monotonic() < end:
        if select.select([terminal], [], [], 1)[0]:
            shown += os.read(terminal, 65536)
    process.terminate()
    link = process.communicate(timeout=30)[0].strip()
    os.close(terminal)
    rows = []
    for line in re.findall("\x1b\\[38;5;16;48;5;231m([^\x1b\r\n]*)\x1b", shown.decode()):
        rows.append([mark in "\u2588\u2580" for mark in line])
        rows.append([mark in "\u2588\u2584" for mark in line])
    if not rows:
        raise AssertionError("no QR code on the terminal: " + shown.decode())
    image = Image.new("1", (len(rows[0]), len(rows)), 1)
    image.putdata([0 if dark else 1 for row in rows for dark in row])
    found = decode(image.convert("L").resize((image.width * 8, image.height * 8), Image.NEAREST))
    return [one.data.decode() for one in found], link, shown.decode()


def here(options):
    ip("link", "set", "lo", "up")
    folder = Path(tempfile.mkdtemp(prefix="photos-network-"))
    environment = dict(os.environ)
    for name in ("STATE", "CACHE", "CONFIG", "DATA"):
        environment[f"XDG_{name}_HOME"] = str(folder / name.lower())
    environment["PHOTOS_LIBRARY"] = str(folder / "A.photolibrary")
    environment["PHOTOS_GALLERY_PASSWORD"] = PASSWORD
    for verb in (["create"], ["import", options.samples]):
        subprocess.run([options.photos, *verb], check=True, capture_output=True, env=environment)
    hosts = folder / "hosts"
    hosts.write_text(f"127.0.0.1 localhost\n{HERE[0]} {NAME}\n")
    chain, key, trusted = certificate(folder)
    # A separate mount namespace has its own host names.
    there = subprocess.Popen(
        [
            "unshare",
            "--net",
            "--mount",
            "sh",
            "-c",
            f'mount --bind "{hosts}" /etc/hosts && exec "$@"',
            "sh",
            sys.executable,
            __file__,
            "--there",
            trusted,
        ],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=environment,
    )
    galleries = []
    failed = 0
    try:
        if there.stdout.readline() != "ready\n":
            raise AssertionError("the other machine does not begin")
        ip("link", "add", "here", "type", "veth", "peer", "name", "there", "netns", str(there.pid))
        ip("link", "set", "here", "up")
        ip("addr", "add", HERE[0] + "/24", "dev", "here")
        ip("addr", "add", HERE[1] + "/64", "dev", "here", "nodad")

        def serve(*arguments):
            galleries.append(Served(options.photos, environment, *arguments))
            return galleries[-1]

        plain = serve("--lan", "--name", NAME, "--behind-proxy", "https://" + NAME)
        encrypted = serve("--lan", "--name", NAME, "--tls-cert", str(chain), "--tls-key", str(key))
        proxied = serve("--behind-proxy", "https://" + NAME)
        Proxy(chain, key, proxied.port).start()

        wanted = [
            f"http://{HERE[0]}:{plain.port}/",
            f"http://[{HERE[1]}]:{plain.port}/",
            f"http://{NAME}:{plain.port}/",
        ]
        failed += not say(
            "all addresses are printed",
            set(wanted) <= set(plain.addresses) and not any("fe80" in one or "127." in one for one in plain.addresses),
            str(plain.addresses),
        )
        failed += not say(
            "links are encrypted, a name first",
            encrypted.addresses[0] == f"https://{NAME}:{encrypted.port}/"
            and all(one.startswith("https://") for one in encrypted.addresses),
            str(encrypted.addresses),
        )
        failed += not say(
            "the proxy's address is printed alone", proxied.addresses == [f"https://{NAME}/"], str(proxied.addresses)
        )

        found, link, shown = qr_code(options.photos, environment)
        port = urllib.parse.urlparse(link).port
        secret = re.findall("[0-9a-f]{32,}", link)
        failed += not say(
            "the terminal shows the address as a QR code", found == [f"http://{HERE[0]}:{port}/"], f"{found} {shown}"
        )
        failed += not say("and no secret", bool(secret) and secret[0] not in shown and PASSWORD not in shown, shown)

        # From here on, print the other machine's output until it ends and closes its pipe.
        print(
            json.dumps({"plain": plain.port, "encrypted": encrypted.port, "proxied": proxied.port}),
            file=there.stdin,
            flush=True,
        )
        for line in there.stdout:
            print(line, end="", flush=True)
            failed += not json.loads(line)["ok"]
        failed += there.wait(60) != 0

        said = {gallery: gallery.stop() for gallery in galleries}
        failed += not say(
            "wrong passwords are logged by the address that they came from",
            f"client.address={THERE[0]}" in said[plain]
            and f"client.address={THERE[1]}" in said[plain]
            and f"client.address={THERE[0]}" in said[proxied]
            and "203.0.113" not in "".join(said.values()),
            said[plain] + said[proxied],
        )
        failed += not say(
            "what is not encrypted is said",
            "not encrypted" in said[plain] and "not encrypted" not in said[encrypted],
        )
        failed += not say("there is no QR code without a terminal", "\u2588" not in "".join(said.values()))

        say("all of it ran", True)
    except Exception as error:
        failed += 1
        say("all of it ran", False, f"{type(error).__name__}: {error}")
    finally:
        if there.poll() is None:
            there.kill()
        for gallery in galleries:
            if gallery.process.poll() is None:
                gallery.stop()
        subprocess.run(["rm", "-rf", str(folder)])
    return 1 if failed else 0


# The machine THERE


def ask(host, port, method, path, headers, body=None, encrypted=False):
    """Sends a raw request, and returns its status and text."""
    if encrypted:
        connection = http.client.HTTPSConnection(host, port, timeout=30, context=ssl._create_unverified_context())
    else:
        connection = http.client.HTTPConnection(host, port, timeout=30)
    connection.request(method, path, body=body, headers=headers)
    answer = connection.getresponse()
    return answer.status, answer.read().decode()


def log_in(host, port, named, origin, password, encrypted=False, **headers):
    fields = {
        "Host": named,
        "Origin": origin,
        "Content-Type": "application/x-www-form-urlencoded",
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    return ask(host, port, "POST", "/login", fields, urllib.parse.urlencode({"password": password}), encrypted)


def there(options):
    ip("link", "set", "lo", "up")
    print("ready", flush=True)
    ports = json.loads(sys.stdin.readline())
    # A link-local address would become valid a second or two later. The browser aborts what it loads when the
    # machine's addresses change, and the page's script does not arrive.
    ip("link", "set", "there", "addrgenmode", "none")
    ip("link", "set", "there", "up")
    ip("addr", "add", THERE[0] + "/24", "dev", "there")
    ip("addr", "add", THERE[1] + "/64", "dev", "there", "nodad")

    from browser import Browser
    from page import api, sign_in

    failed = 0

    def check(name, body):
        nonlocal failed
        try:
            body()
            say(name, True)
        except Exception as error:
            failed += 1
            say(name, False, f"{type(error).__name__}: {str(error).split(chr(10))[0]}")

    browser = Browser(arguments=[f"--ignore-certificate-errors-spki-list={options.there}"])

    def enters(root, secure):
        sign_in(browser, root, PASSWORD)
        assert browser.js("return location.origin") == root, browser.js("return location.origin")
        cookies = [cookie for cookie in browser.driver.get_cookies() if cookie["name"].startswith("photos-")]
        assert cookies and all(cookie["httpOnly"] and cookie["secure"] == secure for cookie in cookies), cookies
        browser.wait(
            "a picture", "return [...document.querySelectorAll('.cell img')].some((one) => one.naturalWidth > 0)"
        )
        status, answer = api(browser, "/api/changes", "POST", {"action": "createAlbum", "title": "From there"})
        assert status == 200, (status, answer)
        browser.driver.delete_all_cookies()

    for name, root, secure in (
        ("by its name", f"http://{NAME}:{ports['plain']}", False),
        ("by its address of IPv4", f"http://{HERE[0]}:{ports['plain']}", False),
        ("by its address of IPv6", f"http://[{HERE[1]}]:{ports['plain']}", False),
        ("encrypted", f"https://{NAME}:{ports['encrypted']}", True),
        ("through a proxy that encrypts", f"https://{NAME}", True),
    ):
        check(f"a browser logs in {name}", lambda root=root, secure=secure: enters(root, secure))
    browser.close()

    def forging():
        """The gallery's own port ignores another machine's headers about proxies."""
        port = ports["plain"]
        named = f"{HERE[0]}:{port}"
        for number in range(10):
            status, text = log_in(
                HERE[0],
                port,
                named,
                f"http://{named}",
                "wrong",
                X_Forwarded_For=f"203.0.113.{number}",
                Forwarded=f"for=203.0.113.{number}",
            )
            assert status == 401 and "wrongPassword" in text, (status, text)
        status, text = log_in(HERE[0], port, named, f"http://{named}", PASSWORD, X_Forwarded_For="203.0.113.99")
        assert status == 429, (status, text)
        status, text = ask(
            HERE[0], port, "GET", "/", {"Host": NAME, "X-Forwarded-Host": NAME, "X-Forwarded-Proto": "https"}
        )
        assert status == 403 and "wrongHost" in text, (status, text)
        # Another address of the same machine counts as another client.
        named = f"[{HERE[1]}]:{port}"
        status, text = log_in(HERE[1], port, named, f"http://{named}", "wrong")
        assert status == 401, (status, text)
        status, text = log_in(HERE[1], port, named, f"http://{named}", PASSWORD)
        assert status == 200, (status, text)

    check("another machine cannot speak for a proxy", forging)

    def through():
        """The gallery also ignores such headers through the proxy."""
        for number in range(10):
            status, text = log_in(
                HERE[0],
                443,
                NAME,
                f"https://{NAME}",
                "wrong",
                True,
                X_Forwarded_For=f"203.0.113.{number}",
                Forwarded=f"for=203.0.113.{number}",
            )
            assert status == 401, (status, text)
        status, text = log_in(HERE[0], 443, NAME, f"https://{NAME}", PASSWORD, True)
        assert status == 429, (status, text)
        status, text = log_in(HERE[1], 443, NAME, f"https://{NAME}", PASSWORD, True)
        assert status == 200, (status, text)

    check("nor through it", through)

    def closed():
        for host in HERE:
            try:
                socket.create_connection((host, ports["proxied"]), 5).close()
            except OSError:
                continue
            raise AssertionError(f"the gallery behind the proxy answers at {host}")

    check("the gallery behind a proxy listens to its own machine alone", closed)

    def unencrypted():
        with socket.create_connection((HERE[0], ports["encrypted"]), 10) as plain:
            plain.sendall(f"GET / HTTP/1.1\r\nHost: {NAME}:{ports['encrypted']}\r\n\r\n".encode())
            try:
                answer = plain.recv(65536)
            except ConnectionResetError:
                answer = b""
        assert b"HTTP/1.1 200" not in answer and b"password" not in answer, answer
        status, text = ask(
            HERE[0],
            ports["encrypted"],
            "GET",
            "/",
            {"Host": f"{NAME}:{ports['encrypted']}", "Origin": f"http://{NAME}:{ports['encrypted']}"},
            encrypted=True,
        )
        assert status == 403 and "crossSite" in text, (status, text)

    check("the encrypted gallery answers nothing else", unencrypted)
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--photos")
    parser.add_argument("--samples")
    parser.add_argument("--there")
    options = parser.parse_args()
    return there(options) if options.there else here(options)


if __name__ == "__main__":
    sys.exit(main())
