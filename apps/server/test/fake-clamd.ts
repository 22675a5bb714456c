import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'

/** The EICAR antivirus test file, in two halves so that this source is not detected. */
export const eicar = [
  'X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR',
  '-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*',
].join('')

/** Implements clamd's PING and INSTREAM; detects EICAR. */
export async function startClamd() {
  let scanned = 0
  const server = net.createServer((socket) => {
    let bytes = Buffer.alloc(0)
    let began = false
    const content: Buffer[] = []
    socket.on('error', () => {})
    socket.on('data', (data) => {
      bytes = Buffer.concat([bytes, data as Buffer])
      const command = 'zINSTREAM\0'
      if (!began) {
        if (bytes.toString('latin1') === 'zPING\0') {
          socket.end('PONG\0')
          return
        }
        if (bytes.length < command.length) return
        if (!bytes.toString('latin1').startsWith(command)) {
          socket.end('UNKNOWN COMMAND\0')
          return
        }
        began = true
        bytes = bytes.subarray(command.length)
      }
      while (bytes.length >= 4) {
        const length = bytes.readUInt32BE(0)
        if (length === 0) {
          scanned++
          const found = Buffer.concat(content).includes(eicar)
          socket.end(found ? 'stream: Eicar-Test-Signature FOUND\0' : 'stream: OK\0')
          return
        }
        if (bytes.length < 4 + length) return
        content.push(bytes.subarray(4, 4 + length))
        bytes = bytes.subarray(4 + length)
      }
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    address: `tcp://127.0.0.1:${port}`,
    scanned: () => scanned,
    stop: () => new Promise((resolve) => server.close(resolve)),
  }
}
