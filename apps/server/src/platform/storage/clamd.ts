import { createReadStream } from 'node:fs'
import net from 'node:net'

export type ClamdAddress = { host: string; port: number } | { path: string }

/** Parses `tcp://host:port` or `unix:/path`; undefined if it is neither. */
export function clamdAddress(text: string): ClamdAddress | undefined {
  const path = /^unix:(?:\/\/)?(\/\S+)$/.exec(text)?.[1]
  if (path) return { path }
  const [, host, port] = /^tcp:\/\/(\[[\da-f:]+\]|[\w.-]+):(\d{1,5})$/i.exec(text) ?? []
  if (!host || !port || Number(port) > 65_535) return undefined
  return { host: host.replace(/^\[|\]$/g, ''), port: Number(port) }
}

export type Verdict = { clean: true } | { clean: false; found: string }

/** Timeout in ms without data. */
const silence = 60_000
const chunkBytes = 128 * 1024

/**
 * Scans a file with clamd (INSTREAM: length-prefixed chunks, ended by an empty one).
 * @throws Error if clamd does not answer with a verdict
 */
export function scanFile(address: ClamdAddress, file: string): Promise<Verdict> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(address)
    const source = createReadStream(file, { highWaterMark: chunkBytes })
    let answer = ''
    const end = (error: Error) => {
      source.destroy()
      socket.destroy()
      reject(error)
    }
    socket.setTimeout(silence, () => end(new Error('clamd did not answer in time')))
    socket.on('error', end)
    source.on('error', end)
    socket.on('data', (bytes) => {
      answer += bytes.toString('utf8')
    })
    socket.on('close', () => {
      source.destroy()
      const [, found] = /^stream: (.+) FOUND\0?\s*$/.exec(answer) ?? []
      if (found) resolve({ clean: false, found })
      else if (/^stream: OK\0?\s*$/.test(answer)) resolve({ clean: true })
      else reject(new Error(answer.replace(/\0/g, '').trim() || 'clamd hung up without an answer'))
    })
    socket.on('connect', async () => {
      socket.write('zINSTREAM\0')
      try {
        for await (const bytes of source) {
          const length = Buffer.alloc(4)
          length.writeUInt32BE((bytes as Buffer).length)
          socket.write(length)
          if (!socket.write(bytes as Buffer)) await drained(socket)
          if (socket.destroyed) return
        }
        socket.write(Buffer.alloc(4))
      } catch (error) {
        end(error as Error)
      }
    })
  })
}

/** @throws Error if clamd does not answer PING within this many milliseconds */
export function pingClamd(address: ClamdAddress, milliseconds: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = net.connect(address, () => socket.write('zPING\0'))
    let answer = ''
    socket.setTimeout(milliseconds, () => socket.destroy(new Error('no answer in time')))
    socket.on('error', reject)
    socket.on('data', (bytes) => {
      answer += bytes.toString('utf8')
    })
    socket.on('close', () =>
      answer.replace(/\0/g, '').trim() === 'PONG'
        ? resolve()
        : reject(new Error(`it answered “${answer.slice(0, 60)}” instead of PONG`)),
    )
  })
}

/** Resolves on close as well: clamd stops reading files that are too large and closes the connection. */
const drained = (socket: net.Socket) =>
  new Promise<void>((resolve) => {
    const done = () => {
      socket.off('drain', done).off('close', done)
      resolve()
    }
    socket.on('drain', done).on('close', done)
  })
