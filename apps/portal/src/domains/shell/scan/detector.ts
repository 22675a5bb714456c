/** The part of the Barcode Detection API common to the browser's detector and the library. */
export type Detector = {
  detect: (source: HTMLVideoElement | HTMLImageElement) => Promise<{ rawValue: string }[]>
}

/** 2D codes, and the barcodes on library books, cards and products. */
const formats = ['qr_code', 'data_matrix', 'code_128', 'code_39', 'ean_13'] as const

type Native = {
  new (options: { formats: readonly string[] }): Detector
  getSupportedFormats: () => Promise<readonly string[]>
}

/** The browser's own detector, or else ZXing as WebAssembly (400 KB, loaded only if needed). */
export async function loadDetector(): Promise<Detector> {
  const { BarcodeDetector: native } = globalThis as { BarcodeDetector?: Native }
  if ((await native?.getSupportedFormats())?.includes('qr_code'))
    return new (native as Native)({ formats })
  const [{ BarcodeDetector, prepareZXingModule }, { default: wasm }] = await Promise.all([
    import('barcode-detector/ponyfill'),
    import('zxing-wasm/reader/zxing_reader.wasm?url'),
  ])
  // By default the library would fetch it from a public CDN.
  await prepareZXingModule({ overrides: { locateFile: () => wasm }, fireImmediately: true })
  return new BarcodeDetector({ formats: [...formats] })
}
