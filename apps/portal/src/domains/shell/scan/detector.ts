/** The part of the Barcode Detection API that both the browser's own detector and the library have. */
export type Detector = {
  detect: (source: HTMLVideoElement | HTMLImageElement) => Promise<{ rawValue: string }[]>
}

/** Square codes, what libraries print on books and cards, and what shops print on things. */
const formats = ['qr_code', 'data_matrix', 'code_128', 'code_39', 'ean_13'] as const

type Native = {
  new (options: { formats: readonly string[] }): Detector
  getSupportedFormats: () => Promise<readonly string[]>
}

/** The browser's own detector, or ZXing's as WebAssembly, 400 KB that only a device without one fetches. */
export async function loadDetector(): Promise<Detector> {
  const { BarcodeDetector: native } = globalThis as { BarcodeDetector?: Native }
  if ((await native?.getSupportedFormats())?.includes('qr_code'))
    return new (native as Native)({ formats })
  const [{ BarcodeDetector, prepareZXingModule }, { default: wasm }] = await Promise.all([
    import('barcode-detector/ponyfill'),
    import('zxing-wasm/reader/zxing_reader.wasm?url'),
  ])
  // By itself the library would fetch it from a public network.
  await prepareZXingModule({ overrides: { locateFile: () => wasm }, fireImmediately: true })
  return new BarcodeDetector({ formats: [...formats] })
}
