"""Each tls-* directive that is set while the server runs has its effect on the next connection."""
import shutil
import ssl
import subprocess
import tempfile

from harness import expect, expect_true
from tls import Made, TlsServer, refused


def run(server, report):
    if not shutil.which('openssl'):
        return report.skip('tls_directives', 'the program openssl is missing')
    with tempfile.TemporaryDirectory(prefix='slotcar-tls.') as folder:
        made = Made(folder)
        for check in (key_password, authorities_in_a_directory, suites, whose_order_counts, dh_parameters,
                      life_of_a_session, number_of_sessions):
            # Each with a server of its own, so that what one sets is not there for the next one.
            with TlsServer(server.binary, made) as secure:
                report.check(check.__name__.replace('_', ' '), check, secure, made)


def configure(server, *words):
    with server.client() as admin:
        expect(admin('CONFIG', 'SET', *words), 'OK')


def openssl(made, *words):
    done = subprocess.run(['openssl', *words], cwd=made.folder, capture_output=True, text=True)
    expect_true(done.returncode == 0, done.stderr)
    return done.stdout.strip()


def serves(server, context):
    with server.secure(context) as client:
        expect(client('PING'), 'PONG')
        return client.socket.cipher()[0]


def old(made, ciphers=None, **more):
    """A client of TLS 1.2."""
    context = made.context(made.client, **more)
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    if ciphers:
        context.set_ciphers(ciphers)
    return context


def key_password(server, made):
    openssl(made, 'pkey', '-aes128', '-passout', 'pass:open', '-in', made.server2[1], '-out', 'locked.key')
    change = 'tls-cert-file', made.server2[0], 'tls-key-file', made.authority.path('locked.key'), 'tls-key-file-pass'
    with server.client() as admin:
        for wrong in ('shut', ''):
            said = str(admin('CONFIG', 'SET', *change, wrong))
            expect_true(said.startswith('ERR CONFIG SET failed') and 'locked.key' in said, said)
            expect(admin('CONFIG', 'GET', 'tls-key-file'), [b'tls-key-file', made.server[1].encode()])
    configure(server, *change, 'open')
    with server.secure(made.context(made.client)) as client:
        expect(dict(pair[0] for pair in client.socket.getpeercert()['subject'])['commonName'], 'server2')


def authorities_in_a_directory(server, made):
    for name, authority in (('ours', made.authority), ('theirs', made.stranger)):
        folder = made.folder / name
        folder.mkdir()
        shutil.copy(authority.ca, folder / f'{openssl(made, "x509", "-hash", "-noout", "-in", authority.ca)}.0')
    configure(server, 'tls-ca-cert-file', '', 'tls-ca-cert-dir', str(made.folder / 'ours'))
    serves(server, made.context(made.client))
    refused(server, made.context(made.strange), 'certificate verify failed')
    configure(server, 'tls-ca-cert-dir', str(made.folder / 'theirs'))
    serves(server, made.context(made.strange))
    refused(server, made.context(made.client), 'certificate verify failed')


def suites(server, made):
    for suite in ('TLS_CHACHA20_POLY1305_SHA256', 'TLS_AES_128_GCM_SHA256'):
        configure(server, 'tls-ciphersuites', suite)
        expect(serves(server, made.context(made.client)), suite)


def whose_order_counts(server, made):
    first, second = 'ECDHE-ECDSA-AES128-GCM-SHA256', 'ECDHE-ECDSA-AES256-GCM-SHA384'
    configure(server, 'tls-protocols', 'TLSv1.2', 'tls-ciphers', f'{first}:{second}')
    expect(serves(server, old(made, f'{second}:{first}')), second)
    configure(server, 'tls-prefer-server-ciphers', 'yes')
    expect(serves(server, old(made, f'{second}:{first}')), first)


def dh_parameters(server, made):
    openssl(made, 'genpkey', '-genparam', '-algorithm', 'DH', '-pkeyopt', 'group:ffdhe2048', '-out', 'dh.pem')
    cipher = 'DHE-RSA-AES128-GCM-SHA256'
    configure(server, 'tls-cert-file', made.rsa[0], 'tls-key-file', made.rsa[1], 'tls-protocols', 'TLSv1.2',
              'tls-ciphers', cipher)
    refused(server, old(made, cipher), 'no cipher in common')
    configure(server, 'tls-dh-params-file', made.authority.path('dh.pem'))
    expect(serves(server, old(made, cipher)), cipher)


def life_of_a_session(server, made):
    for seconds in (300, 77):
        configure(server, 'tls-session-cache-timeout', seconds)
        with server.secure(old(made)) as client:
            expect(client('PING'), 'PONG')
            expect(client.socket.session.ticket_lifetime_hint, seconds)


def number_of_sessions(server, made):
    """Those that the server keeps, for clients without tickets."""
    def session(context, before=None):
        with server.secure(context, session=before) as client:
            expect(client('PING'), 'PONG')
            return client.socket.session, client.socket.session_reused

    for kept, resumed in ((20, [True, True]), (1, [False, True])):
        configure(server, 'tls-session-cache-size', kept)
        context = old(made)
        context.options |= ssl.OP_NO_TICKET
        sessions = [session(context)[0] for _ in range(2)]
        # The last one first: one that is not resumed makes another session, which takes its place.
        expect([session(context, one)[1] for one in reversed(sessions)][::-1], resumed, f'{kept} sessions')
