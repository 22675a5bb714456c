import pg from 'pg'

/** A test's data need not survive a crash of the machine, so the server does not wait for the disk. */
const settings = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

/** Changes an embedded server, and copies of its folder. @param url of any database on the server */
export async function makeVolatile(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    for (const [name, value] of Object.entries(settings))
      await client.query(`alter system set ${name} = ${value}`)
    await client.query('select pg_reload_conf()')
  } finally {
    await client.end()
  }
}
