import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { prepareZXingModule, writeBarcode } from 'zxing-wasm/writer'

const wasm = fileURLToPath(import.meta.resolve('zxing-wasm/writer/zxing_writer.wasm'))
let ready: Promise<unknown> | undefined

async function write(text: string) {
  ready ??= readFile(wasm).then(({ buffer }) =>
    prepareZXingModule({ overrides: { wasmBinary: buffer as ArrayBuffer }, fireImmediately: true }),
  )
  await ready
  return writeBarcode(text, { format: 'QRCode', scale: 8, addQuietZones: true })
}

/** A QR code as a PNG. */
export async function codePicture(text: string) {
  const { image } = await write(text)
  return Buffer.from((await image?.arrayBuffer()) ?? new ArrayBuffer(0))
}

/** A video of a QR code filling the camera's view, in the format of Chromium's fake camera (YUV4MPEG2). */
export async function codeFilm(text: string) {
  const { symbol } = await write(text)
  const size = 480
  const scale = Math.floor((size * 0.8) / symbol.width)
  const edge = Math.floor((size - symbol.width * scale) / 2)
  const light = Buffer.alloc(size * size, 235)
  for (let y = 0; y < symbol.height * scale; y++) {
    for (let x = 0; x < symbol.width * scale; x++) {
      const cell = Math.floor(y / scale) * symbol.width + Math.floor(x / scale)
      if (!symbol.data[cell]) light[(y + edge) * size + x + edge] = 16
    }
  }
  const frame = Buffer.concat([Buffer.from('FRAME\n'), light, Buffer.alloc((size * size) / 2, 128)])
  return Buffer.concat([Buffer.from(`YUV4MPEG2 W${size} H${size} F10:1 Ip A1:1 C420jpeg\n`), frame])
}
