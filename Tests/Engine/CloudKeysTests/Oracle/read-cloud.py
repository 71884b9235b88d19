"""Reads the objects of a cloud library without any code of this package, as an oracle for its tests.

Usage: read-cloud.py FOLDER < SECRETS > RESULT

FOLDER is a directory store. SECRETS is JSON: "passphrase", "recoveryCode", "device", "agreementSeed", and "blobs",
which maps names of blobs to their records. Everything is hexadecimal except the passphrase and the code. RESULT has
the epoch's key as each party opens it, and the contents of all objects. The formats are described in
Docs/adr/0078-keys-and-sealed-objects.md; the primitives are those of Python's hashlib and of pyca/cryptography.

Exits with 69 if pyca/cryptography lacks HPKE with X-Wing (version 47 has it).
"""

import hashlib
import hmac
import json
import pathlib
import struct
import sys

try:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
    from cryptography.hazmat.primitives.asymmetric.mlkem import MLKEM768PrivateKey
    from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM, ChaCha20Poly1305
    from cryptography.hazmat.primitives.hashes import SHA256
    from cryptography.hazmat.primitives.hpke import AEAD, KDF, KEM, MLKEM768X25519PrivateKey, Suite
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF, HKDFExpand
except ImportError as error:
    print(f"read-cloud: {error}", file=sys.stderr)
    sys.exit(69)

ZERO = bytes(12)
PREFIX = b"swift-photos cloud 1 "


def parts(*values: bytes) -> bytes:
    """Each value after its length in 32 bits."""
    return b"".join(struct.pack(">I", len(value)) + value for value in values)


def hkdf(secret: bytes, info: bytes, salt: bytes = b"") -> bytes:
    return HKDF(algorithm=SHA256(), length=32, salt=salt, info=info).derive(secret)


def expand(secret: bytes, info: bytes) -> bytes:
    return HKDFExpand(algorithm=SHA256(), length=32, info=info).derive(secret)


def mac(key: bytes, message: bytes) -> bytes:
    return hmac.new(key, message, hashlib.sha256).digest()


def fields(data: bytes) -> dict[int, bytes]:
    (count,) = struct.unpack_from(">H", data)
    offset, result = 2, {}
    for _ in range(count):
        tag, size = struct.unpack_from(">HI", data, offset)
        offset += 6
        result[tag] = data[offset : offset + size]
        assert len(result[tag]) == size
        offset += size
    assert offset == len(data) and list(result) == sorted(result)
    return result


def counted(data: bytes) -> tuple[bytes, bytes]:
    (size,) = struct.unpack_from(">I", data)
    return data[4 : 4 + size], data[4 + size :]


class Epoch:
    def __init__(self, library: bytes, name: bytes, secret: bytes):
        self.library, self.name, self.secret = library, name, secret

    def key(self, purpose: str) -> bytes:
        return hkdf(self.secret, parts(PREFIX + purpose.encode(), self.library, self.name))

    def commitment(self) -> bytes:
        return mac(self.key("commitment"), parts(b"epoch", self.library, self.name))

    def open(self, data: bytes, name: str, purpose: str, code_name: str = "") -> tuple[bytes, bytes]:
        """Decrypts a whole object and returns its content and its code."""
        header, body = data[:53], data[53:]
        assert header[:4] == b"spe1" and header[5:21] == self.name
        code = header[21:]
        key = expand(self.key(purpose), parts(b"object", code))
        cipher = {1: AESGCM, 2: ChaCha20Poly1305}[header[4]](key)
        plain = cipher.decrypt(ZERO, body, parts(b"object", name.encode(), header))
        compression, size = struct.unpack_from(">BI", plain)
        content = plain[5 : 5 + size]
        assert compression == 0 and not any(plain[5 + size :])
        message = parts(b"content", (code_name or name).encode(), content)
        assert mac(self.key(purpose + " code"), message) == code
        return content, code


def open_secret_wrap(wrap: dict[int, bytes], secret: bytes, context: bytes) -> bytes:
    key = expand(secret, parts(PREFIX + b"commitment", context))
    assert mac(key, context) == wrap[3], "the secret is another one"
    wrapping = expand(secret, parts(PREFIX + b"wrap", context))
    return AESGCM(wrapping).decrypt(ZERO, wrap[4], context)


def open_member_wrap(wrap: dict[int, bytes], seed: bytes, context: bytes) -> bytes:
    expanded = hashlib.shake_256(seed).digest(96)
    private = MLKEM768X25519PrivateKey(
        MLKEM768PrivateKey.from_seed_bytes(expanded[:64]),
        X25519PrivateKey.from_private_bytes(expanded[64:]),
    )
    suite = Suite(KEM.MLKEM768_X25519, KDF.HKDF_SHA256, AEAD.AES_256_GCM)
    return suite.decrypt(wrap[1] + wrap[3], private, context)


def open_keys(path: pathlib.Path, secrets: dict) -> tuple[dict[str, str], dict[bytes, Epoch], bytes]:
    data = path.read_bytes()
    assert data[:4] == b"spk1"
    body = fields(data[4:-64])
    library, name, root = body[1], body[2], body[3]

    def context(kind: str, *more: bytes) -> bytes:
        return parts(PREFIX + b"wrap", kind.encode(), library, name, root, *more)

    wrap = fields(body[5])
    exponent, block, parallel = wrap[2]
    memory = 256 * block << exponent
    stretched = hashlib.scrypt(
        secrets["passphrase"].encode(), salt=wrap[1], n=1 << exponent, r=block, p=parallel, maxmem=memory, dklen=32
    )
    result = {"passphrase": open_secret_wrap(wrap, stretched, context("passphrase", wrap[2])).hex()}
    wrap = fields(body[6])
    characters = secrets["recoveryCode"].replace("-", "").encode()
    secret = hkdf(characters, parts(PREFIX + b"recovery code"), salt=wrap[1])
    result["recoveryCode"] = open_secret_wrap(wrap, secret, context("recovery code")).hex()
    (count,) = struct.unpack_from(">I", body[7])
    rest = body[7][4:]
    for _ in range(count):
        device, rest = rest[:16], rest[16:]
        fingerprint, rest = counted(rest)
        entry, rest = counted(rest)
        if device.hex() == secrets["device"]:
            seed = bytes.fromhex(secrets["agreementSeed"])
            key = open_member_wrap(fields(entry), seed, context("member", device, fingerprint))
            result["member"] = key.hex()
    assert not rest
    epoch = Epoch(library, name, bytes.fromhex(result["passphrase"]))
    assert epoch.commitment() == body[4]
    epochs = {name: epoch}
    former, _ = epoch.open(body[8], f"keys/{path.name}", "former")
    for start in range(0, len(former), 48):
        old = former[start : start + 16]
        epochs[old] = Epoch(library, old, former[start + 16 : start + 48])
    return result, epochs, root


def open_blob(data: bytes, record: bytes, name: str) -> bytes:
    version, size = struct.unpack_from(">BQ", record)
    key, object_hash = record[9:41], record[41:]
    assert version == 1 and hashlib.sha256(data).digest() == object_hash
    header, rest = data[:5], data[5:]
    assert header[:4] == b"spb1"
    cipher = {1: AESGCM, 2: ChaCha20Poly1305}[header[4]](key)
    plain, number, step = b"", 0, (1 << 20) + 16
    while rest:
        frame, rest = rest[:step], rest[step:]
        nonce = bytes(3) + struct.pack(">QB", number, 0 if rest else 1)
        plain += cipher.decrypt(nonce, frame, parts(b"blob", name.encode(), header))
        number += 1
    assert len(plain) == size
    return plain


def verify(key: bytes, signature: bytes, label: bytes, message: bytes) -> None:
    Ed25519PublicKey.from_public_bytes(key).verify(signature, parts(PREFIX + label, message))


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    secrets = json.load(sys.stdin)
    (keys,) = (folder / "keys").iterdir()
    result, epochs, root = open_keys(keys, secrets)
    devices = {}
    result["names"] = {}
    for path in (folder / "member").iterdir():
        data = path.read_bytes()
        content, _ = epochs[data[5:21]].open(data, f"member/{path.name}", "member")
        assert content[:4] == b"spm1"
        body, rest = counted(content[4:])
        own, rest = counted(rest)
        issued, rest = counted(rest)
        values = fields(body)
        devices[path.name] = values[4]
        verify(values[4], own, b"certificate", body)
        if values[6] == b"\0":
            assert hashlib.sha256(body).digest() == root
        else:
            admission = Ed25519PrivateKey.from_private_bytes(epochs[values[7]].key("admission"))
            verify(admission.public_key().public_bytes_raw(), issued, b"admission", body)
        result["names"][path.name] = values[3].decode()
    verify(devices[fields(keys.read_bytes()[4:-64])[9].hex()], keys.read_bytes()[-64:], b"keys",
           parts(f"keys/{keys.name}".encode(), keys.read_bytes()[4:-64]))  # fmt: skip
    for path in (folder / "config").iterdir():
        data = path.read_bytes()
        body = data[4:-64]
        message = parts(f"config/{path.name}".encode(), body)
        verify(devices[fields(body)[3].hex()], data[-64:], b"configuration", message)
    result["segments"] = {}
    for path in (folder / "log").glob("*/*"):
        device = path.parent.name
        name = f"log/{device}/{path.name}"
        data = path.read_bytes()
        verify(devices[device], data[-64:], b"segment", parts(name.encode(), data[:-64]))
        content, code = epochs[data[5:21]].open(data[:-64], name, "log", name[:-33])
        assert code[:16].hex() == path.name[13:]
        result["segments"][name] = content.hex()
    result["blobs"] = {}
    for name, record in secrets["blobs"].items():
        plain = open_blob((folder / name).read_bytes(), bytes.fromhex(record), name)
        result["blobs"][name] = hashlib.sha256(plain).hexdigest()
    json.dump(result, sys.stdout)


main()
