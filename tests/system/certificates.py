"""Certificates for tests, made by the program openssl in a folder of the caller's."""
import pathlib
import subprocess


class Authority:
    """ca.pem signs NAME.pem with NAME.key. Keys are P-256 unless they shall be RSA."""

    def __init__(self, folder, name='ca'):
        self.folder = pathlib.Path(folder)
        self.name = name
        self._openssl('req', '-x509', *self._key('ec'), '-nodes', '-days', '3', '-subj',
                      f'/CN={name}', '-keyout', f'{name}.key', '-out', f'{name}.pem')

    def path(self, file):
        return str(self.folder / file)

    @property
    def ca(self):
        return self.path(f'{self.name}.pem')

    def make(self, name, common_name=None, names='IP:127.0.0.1,DNS:localhost', days=2, kind='ec'):
        """`days` below zero: it has expired."""
        (self.folder / f'{name}.ext').write_text(f'subjectAltName={names}\n')
        self._openssl('req', *self._key(kind), '-nodes', '-subj', f'/CN={common_name or name}',
                      '-keyout', f'{name}.key', '-out', f'{name}.csr')
        self._openssl('x509', '-req', '-days', str(days), '-in', f'{name}.csr', '-CA',
                      f'{self.name}.pem', '-CAkey', f'{self.name}.key', '-CAcreateserial',
                      '-extfile', f'{name}.ext', '-out', f'{name}.pem')
        return self.path(f'{name}.pem'), self.path(f'{name}.key')

    @staticmethod
    def _key(kind):
        return {'ec': ('-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1'),
                'rsa': ('-newkey', 'rsa:2048')}[kind]

    def _openssl(self, *words):
        done = subprocess.run(['openssl', *words], cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f'openssl {" ".join(words)}: {done.stderr}')
