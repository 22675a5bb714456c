import { createServer } from 'node:net'
import { BerReader, BerWriter } from 'ldapts'
import { afterAll } from 'vitest'

/**
 * An LDAP server that returns attribute values in ranges, as Active Directory does (MS-ADTS 3.1.1.3.1.3.3); OpenLDAP
 * cannot.
 * @returns its address and the requested attributes
 */
export async function startRangedLdap(attribute: string, values: string[], atOnce: number) {
  const asked: string[] = []
  const server = createServer((socket) => {
    socket.on('data', (data: Buffer) => {
      const reader = new BerReader(data)
      reader.readSequence()
      const id = reader.readInt() ?? 0
      const operation = reader.readSequence()
      if (operation === 0x60) socket.write(message(id, 0x61, success))
      if (operation !== 0x63) return
      const dn = reader.readString() ?? ''
      // Skip scope, aliases, limits, typesOnly and the filter.
      for (let n = 0; n < 6; n++) skip(reader)
      reader.readSequence()
      const wanted = reader.readString() ?? ''
      asked.push(wanted)
      const from = Number(/;range=(\d+)-/.exec(wanted)?.[1] ?? 0)
      const part = values.slice(from, from + atOnce)
      const last = from + atOnce >= values.length ? '*' : String(from + atOnce - 1)
      socket.write(
        message(id, 0x64, (writer) => {
          writer.writeString(dn)
          writer.startSequence()
          writer.startSequence()
          writer.writeString(`${attribute};range=${from}-${last}`)
          writer.startSequence(0x31)
          for (const value of part) writer.writeString(value)
          writer.endSequence()
          writer.endSequence()
          writer.endSequence()
        }),
      )
      socket.write(message(id, 0x65, success))
    })
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => void server.close())
  return { url: `ldap://127.0.0.1:${(server.address() as { port: number }).port}`, asked }
}

function message(id: number, operation: number, write: (writer: BerWriter) => void): Buffer {
  const writer = new BerWriter()
  writer.startSequence()
  writer.writeInt(id)
  writer.startSequence(operation)
  write(writer)
  writer.endSequence()
  writer.endSequence()
  return writer.buffer
}

function success(writer: BerWriter) {
  writer.writeEnumeration(0)
  writer.writeString('')
  writer.writeString('')
}

const skip = (reader: BerReader) => {
  const tag = reader.readByte(true) ?? 0
  reader.readString(tag, true)
}
