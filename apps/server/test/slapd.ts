import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Attribute, Change, Client } from 'ldapts'
import { freePort } from './free-port.ts'

const program = '/usr/sbin/slapd'
/** Without it the directory tests are skipped; scripts/test-servers.mjs installs it if possible. */
export const hasSlapd = existsSync(program)
if (!hasSlapd) console.warn('SKIPPED: the tests of directories need slapd (Debian: slapd).')

export const suffix = 'dc=example,dc=edu'
export const reader = { dn: `cn=admin,${suffix}`, password: 'the reader’s own password' }

export type Slapd = {
  port: number
  tlsPort: number
  url: string
  /** its self-signed certificate */
  ca: string
  admin: Client
  add: (dn: string, attributes: Record<string, string | string[]>) => Promise<void>
  replace: (dn: string, attribute: string, ...values: string[]) => Promise<void>
  stop: () => Promise<void>
  start: () => Promise<void>
}

let cleanUp = () => {}
/** Called by after-file.ts after each test file. */
export const stopSlapd = () => cleanUp()

/** Starts OpenLDAP's server on local ports, with its own folder, certificate and configuration. */
export async function startSlapd(): Promise<Slapd> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'atrium-slapd-'))
  mkdirSync(path.join(folder, 'db'))
  const file = (name: string) => path.join(folder, name)
  let running: ChildProcess | undefined
  cleanUp = () => {
    running?.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  execFileSync(
    'openssl',
    [
      ...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'],
      ...['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'],
      ...['-addext', 'basicConstraints=critical,CA:TRUE'],
      ...['-keyout', file('key.pem'), '-out', file('cert.pem')],
    ],
    { stdio: 'ignore' },
  )
  // msuser defines Active Directory's attributes.
  const schemas = ['core', 'cosine', 'inetorgperson', 'nis', 'msuser']
  writeFileSync(
    file('slapd.conf'),
    `${schemas.map((name) => `include /etc/ldap/schema/${name}.schema`).join('\n')}
objectclass ( 1.2.840.113556.1.5.6 NAME 'securityPrincipal' SUP top AUXILIARY MAY ( sAMAccountName $ objectSid ) )
pidfile ${file('pid')}
modulepath /usr/lib/ldap
moduleload back_mdb
TLSCertificateFile ${file('cert.pem')}
TLSCertificateKeyFile ${file('key.pem')}
sizelimit unlimited
database mdb
maxsize 1073741824
suffix "${suffix}"
rootdn "${reader.dn}"
rootpw "${reader.password}"
directory ${file('db')}
dbnosync
index objectClass,uid,entryUUID eq
`,
  )
  const [port, tlsPort] = [await freePort(), await freePort()]
  const url = `ldap://127.0.0.1:${port}`
  async function start() {
    running = spawn(
      program,
      ['-f', file('slapd.conf'), '-h', `${url}/ ldaps://127.0.0.1:${tlsPort}/`, '-d', '0'],
      { stdio: 'ignore' },
    )
    for (let tries = 0; !(await answers(port)); tries++) {
      if (tries > 300 || running.exitCode !== null) throw new Error('slapd does not start')
      await wait(50)
    }
  }
  await start()
  const admin = new Client({ url })
  await admin.bind(reader.dn, reader.password)
  await admin.add(suffix, {
    objectClass: ['dcObject', 'organization'],
    dc: 'example',
    o: 'Example',
  })
  return {
    port,
    tlsPort,
    url,
    ca: readFileSync(file('cert.pem'), 'utf8'),
    admin,
    add: (dn, attributes) => admin.add(dn, attributes),
    replace: (dn, type, ...values) =>
      admin.modify(
        dn,
        new Change({ operation: 'replace', modification: new Attribute({ type, values }) }),
      ),
    async stop() {
      await admin.unbind().catch(() => {})
      const child = running
      running = undefined
      if (!child || child.exitCode !== null) return
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
    },
    async start() {
      await start()
      await admin.bind(reader.dn, reader.password)
    },
  }
}

const answers = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' })
    const end = (answer: boolean) => {
      socket.destroy()
      resolve(answer)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })

/** A person as an inetOrgPerson entry. */
export const person = (uid: string, more: Record<string, string | string[]> = {}) => ({
  objectClass: 'inetOrgPerson',
  uid,
  cn: uid,
  sn: uid,
  employeeType: 'student',
  mail: `${uid}@example.edu`,
  userPassword: `${uid} has a password`,
  ...more,
})
