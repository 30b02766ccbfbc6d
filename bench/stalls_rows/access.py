"""Users, and what administration asks of them; modules, latency and MIGRATE, which answer at once here."""
from . import BOUNDED, group, lines, n, one

USERS = 10_000


def fixtures():
    users = b''.join(one('ACL', 'SETUSER', f'user:{i}', 'on', '>secret', '~key:*', '+get') for i in range(n(USERS)))
    return users + lines('SET near{s} v\nSET moved v')


g = group('access', fixtures)
g.add('ACL LIST', '10 k users', 'ACL LIST', covers=('acl|list',))
g.add('ACL USERS', '10 k users', 'ACL USERS', covers=('acl|users',))
g.constant = '''
ACL WHOAMI
ACL CAT
ACL DELUSER nosuchuser
ACL DRYRUN default GET key
ACL GENPASS
ACL GETUSER user:1
ACL HELP
ACL LOG 10
!ACL LOAD
!ACL SAVE
LATENCY DOCTOR
!LATENCY GRAPH command
LATENCY HISTORY command
LATENCY LATEST
LATENCY RESET
MODULE HELP
MODULE LIST
!MODULE LOAD nosuchfile
!MODULE LOADEX nosuchfile
!MODULE UNLOAD nosuchmodule
!MIGRATE 127.0.0.1 1 moved 0 100
'''
for name, why in (('acl|deluser', 'N is the number of names in the request'), ('acl|cat', 'the categories are few'),
                  ('acl|getuser', 'N is the number of rules of one user'), ('acl|log', '128 entries at most'),
                  ('acl|dryrun', 'N is the number of rules of one user'), ('migrate', 'nobody listens there'),
                  ('latency|history', '160 samples at most'), ('latency|graph', '160 samples at most'),
                  ('latency|doctor', 'the events are few'), ('latency|latest', 'the events are few'),
                  ('latency|reset', 'the events are few'), ('module|list', 'there are none'),
                  ('module|load', 'there is none'), ('module|loadex', 'there is none'),
                  ('module|unload', 'there is none'), ('acl|whoami', 'one name'), ('acl|help', 'a text'),
                  ('acl|genpass', '4096 bits at most'), ('module|help', 'a text'),
                  ('acl|load', 'refused without a file'), ('acl|save', 'refused without a file')):
    BOUNDED[name] = why
