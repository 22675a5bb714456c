import type { DirectorySettings } from '@atrium/contract/identity/directory'

const shared = {
  nameEn: '',
  ca: '',
  passwords: true,
  passwordAddress: '',
  schedule: '30 19 * * *',
  maxDisabled: 5,
  takeOver: 'members',
  startTls: false,
} as const

/** OpenLDAP and compatible servers: inetOrgPerson, organizationalUnit, groupOfNames. */
const openldap: DirectorySettings = {
  ...shared,
  name: 'OpenLDAP',
  servers: ['ldaps://ldap.example.edu'],
  bindDn: 'cn=reader,dc=example,dc=edu',
  members: {
    base: 'ou=people,dc=example,dc=edu',
    filter: '(objectClass=inetOrgPerson)',
    key: 'entryUUID',
    username: '{uid}',
    name: '{displayName|cn}',
    nameEn: '',
    identity: '{employeeType}',
    identities: {},
    organization: '',
    organizationElse: '',
    mobile: '{mobile}',
    email: '{mail}',
    personKey: '',
    disabled: 'pwdAccountLockedTime=000001010000Z',
    memberOf: '',
  },
  organizations: {
    base: 'ou=people,dc=example,dc=edu',
    filter: '(objectClass=organizationalUnit)',
    key: 'entryUUID',
    code: '{ou}',
    name: '{description|ou}',
    nameEn: '',
    under: '',
  },
  groups: {
    base: 'ou=groups,dc=example,dc=edu',
    filter: '(objectClass=groupOfNames)',
    key: 'entryUUID',
    code: '{cn}',
    name: '{description|cn}',
    member: 'member',
    memberIs: 'dn',
  },
}

const activeDirectory: DirectorySettings = {
  ...shared,
  name: 'Active Directory',
  servers: ['ldaps://dc1.example.edu', 'ldaps://dc2.example.edu'],
  bindDn: 'CN=atrium,OU=Service Accounts,DC=example,DC=edu',
  members: {
    base: 'OU=People,DC=example,DC=edu',
    filter: '(&(objectCategory=person)(objectClass=user))',
    key: 'objectGUID',
    username: '{sAMAccountName}',
    name: '{displayName|cn}',
    nameEn: '',
    identity: '{employeeType}',
    identities: {},
    organization: '',
    organizationElse: '',
    mobile: '{mobile}',
    email: '{mail}',
    personKey: '',
    // ADS_UF_ACCOUNTDISABLE
    disabled: 'userAccountControl&2',
    memberOf: 'memberOf',
  },
  organizations: {
    base: 'OU=People,DC=example,DC=edu',
    filter: '(objectClass=organizationalUnit)',
    key: 'objectGUID',
    code: '{ou}',
    name: '{description|ou}',
    nameEn: '',
    under: '',
  },
  groups: {
    base: 'OU=Groups,DC=example,DC=edu',
    filter: '(objectClass=group)',
    key: 'objectGUID',
    code: '{sAMAccountName}',
    name: '{displayName|cn}',
    member: 'member',
    memberIs: 'dn',
  },
}

export const presets = { openldap, activeDirectory }
