import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sourceOf } from '#platform/images/picture-source.ts'
import {
  accepts,
  focalCrop,
  formatOf,
  isSigned,
  parseImageRequest,
  signatureOf,
  splitAddress,
  targetSize,
} from './rules.ts'

test.each([
  [
    'my-security-key',
    '300x200/my.server.com/some/path/to/image.jpg',
    '8ammJH8D-7tXy6kU3lTvoXlhu4o=',
  ],
  [
    'TEST-SECURITY-KEY',
    'fit-in/250x200/filters:background_color(white)/https%3A%2F%2Fimg.example.edu.cn%2Ficons%2Fa.png',
    'Cyi6cCgOPnelJTDjBUhVMlbYFDg=',
  ],
  [
    'TEST-SECURITY-KEY',
    'fit-in/250x200/filters:background_color(white):grayscale()/https%3A%2F%2Fimg.example.edu.cn%2Ficons%2Fa.png',
    'Xf-JbClxqsHq1ZUW6TdycDZqYzo=',
  ],
])('key %s signs %s as thumbor does', (key, rest, signature) => {
  expect(signatureOf(key, rest)).toBe(signature)
  expect(isSigned(key, rest, signature)).toBe(true)
  expect(isSigned(key, `${rest}x`, signature)).toBe(false)
  expect(isSigned(key, rest, signature.toLowerCase())).toBe(false)
  expect(isSigned(key, rest, '')).toBe(false)
})

const emptyRequest = { fitIn: false, width: 0, height: 0 }
test.each([
  ['files/1', { ...emptyRequest, source: 'files/1' }],
  ['250x200/files/1', { ...emptyRequest, width: 250, height: 200, source: 'files/1' }],
  ['250x/files/1', { ...emptyRequest, width: 250, source: 'files/1' }],
  ['0xorig/files/1', { ...emptyRequest, source: 'files/1' }],
  [
    'fit-in/250x200/filters:background_color(white)/https%3A%2F%2Fa.edu%2Fb.png%3Fc%3D%2525',
    {
      fitIn: true,
      width: 250,
      height: 200,
      background: 'ffffff',
      source: 'https://a.edu/b.png?c=%25',
    },
  ],
  [
    'fit-in/10x10/filters:grayscale():format(jpg):quality(70):no_upscale():strip_exif():fill(abc)/https://a.edu/b',
    {
      fitIn: true,
      width: 10,
      height: 10,
      grayscale: true,
      format: 'jpeg',
      quality: 70,
      noUpscale: true,
      fill: 'aabbcc',
      source: 'https://a.edu/b',
    },
  ],
  ['filters%3Agrayscale%28%29/files/1', { ...emptyRequest, grayscale: true, source: 'files/1' }],
  [
    '300x200/filters:focal(0.1x0.2:0.3x0.2):grayscale()/files/1',
    {
      ...emptyRequest,
      width: 300,
      height: 200,
      focal: { x: 20, y: 20 },
      grayscale: true,
      source: 'files/1',
    },
  ],
])('parses %s', (rest, wanted) => {
  expect(parseImageRequest(rest)).toEqual(wanted)
})

test.each([
  ['an empty address', ''],
  ['an address without a picture', '250x200/'],
  ['a width over the limit', '2001x10/files/1'],
  ['a focal area outside the picture', '10x10/filters:focal(2x2:3x3)/files/1'],
  ['an incomplete focal area', '10x10/filters:focal(0.1x0.2)/files/1'],
  ['a height over the limit', '10x99999/files/1'],
  ['an unknown filter', 'filters:watermark(https:,0,0,0)/files/1'],
  ['an unclosed filter', 'filters:grayscale(/files/1'],
  ['an unknown colour', 'filters:background_color(nope)/files/1'],
  ['a prototype property as a colour', 'filters:fill(constructor)/files/1'],
  ['a quality over 100', 'filters:quality(101)/files/1'],
  ['an unsupported format', 'filters:format(svg)/files/1'],
  ['a NUL character', 'files/1%00.png'],
  ['invalid percent-encoding', 'files/%ff'],
  ['a backslash', 'https:%5C%5Ca.edu/b'],
  ['an address that is too long', 'x'.repeat(5000)],
])('rejects %s', (_, rest) => {
  expect(parseImageRequest(rest)).toBeUndefined()
})

const hosts = ['img.example.edu', 'cdn.example.edu:8443']
const isOwnOrigin = (origin: string) => origin === 'https://m.example.edu'
test.each([
  ['files/12', { kind: 'file', id: '12' }],
  ['files/12/spring.png', { kind: 'file', id: '12' }],
  ['/files/12?expires=1&signature=a', { kind: 'file', id: '12', expires: '1', signature: 'a' }],
  ['https://m.example.edu/files/12', { kind: 'file', id: '12' }],
  ['https://img.example.edu/a.png', { kind: 'remote', url: 'https://img.example.edu/a.png' }],
  ['HTTP://IMG.example.edu/a b#c', { kind: 'remote', url: 'http://img.example.edu/a%20b' }],
  ['img.example.edu/a.png', { kind: 'remote', url: 'https://img.example.edu/a.png' }],
  ['https://cdn.example.edu:8443/', { kind: 'remote', url: 'https://cdn.example.edu:8443/' }],
])('%s is an allowed source', (text, source) => {
  expect(sourceOf(text, hosts, isOwnOrigin)).toEqual(source)
})

test.each([
  'https://evil.example/a.png',
  'https://img.example.edu.evil.example/a.png',
  'https://img.example.edu:8443/a.png',
  'https://img.example.edu@evil.example/a.png',
  'https://a:b@img.example.edu/a.png',
  'https://sub.img.example.edu/a.png',
  'https://m.example.edu/portal-api/v1/home',
  'https://m.example.edu/files/12/../../portal-api/v1/home',
  '//img.example.edu/a.png',
  'files/../secret',
  'files/12/a/b.png',
  'files/x',
  'files/1234567890123456789',
  '/etc/passwd',
  'file:///etc/passwd',
  'data:image/png;base64,AAAA',
  'javascript:alert(1)',
  'https://',
  'http://127.0.0.1/a.png',
  'http://[::1]/a.png',
])('%s is not an allowed source', (text) => {
  expect(sourceOf(text, hosts, isOwnOrigin)).toBeUndefined()
})

test('arbitrary requests never throw and never exceed the size limit', () => {
  const piece = fc.oneof(
    fc.constantFrom('fit-in', 'x', '0x0', '99999x1', '-1x5', 'filters:', 'filters:a(b)', '..', ''),
    fc.constantFrom(
      'filters:format(webp):format(avif)',
      '%2e%2e',
      '%',
      'https:',
      'unsafe',
      '250x200',
    ),
    fc.string({ unit: 'binary', maxLength: 20 }),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const { rest = '' } = splitAddress(pieces.join('/')) ?? {}
      const wanted = parseImageRequest(rest)
      if (!wanted) return
      expect(Math.max(wanted.width, wanted.height)).toBeLessThanOrEqual(2000)
      sourceOf(wanted.source, hosts, isOwnOrigin)
    }),
    { numRuns: 2000 },
  )
})

test.each([
  ['crops to the box', { width: 220, height: 146 }, [600, 400], [220, 146, true]],
  ['enlarges and crops a small picture', { width: 220, height: 146 }, [100, 100], [220, 146, true]],
  [
    'does not enlarge with no_upscale',
    { width: 220, height: 146, noUpscale: true as const },
    [100, 100],
    [100, 100, true],
  ],
  ['fits inside the box', { fitIn: true, width: 250, height: 200 }, [600, 300], [250, 125, false]],
  [
    'does not enlarge to fit inside the box',
    { fitIn: true, width: 250, height: 200 },
    [60, 30],
    [60, 30, false],
  ],
  ['scales by one side', { width: 300 }, [600, 400], [300, 200, false]],
  ['scales by one side up to the size limit', { width: 2000 }, [1, 100_000], [1, 2000, false]],
  ['keeps the original size', {}, [600, 400], [600, 400, false]],
  ['reduces the original size to the size limit', {}, [4000, 1000], [2000, 500, false]],
  [
    'keeps every side at least one pixel',
    { fitIn: true, width: 10, height: 10 },
    [5000, 1],
    [10, 1, false],
  ],
])('%s', (_, wanted, [width = 0, height = 0], result) => {
  const {
    width: w,
    height: h,
    crop,
  } = targetSize({ fitIn: false, width: 0, height: 0, ...wanted }, { width, height })
  expect([w, h, crop]).toEqual(result)
})

test.each([
  ['at the left edge', { x: 0, y: 50 }, { left: 0, top: 0 }],
  ['centred on the point', { x: 50, y: 50 }, { left: 150, top: 0 }],
  ['at the right edge', { x: 100, y: 0 }, { left: 300, top: 0 }],
])('the focal crop is %s', (_, focal, place) => {
  const part = focalCrop(focal, { width: 1200, height: 400 }, { width: 300, height: 200 })
  expect(part).toEqual({
    whole: { width: 600, height: 200 },
    cut: { ...place, width: 300, height: 200 },
  })
})

test('the target size never exceeds the limit', () => {
  const side = fc.integer({ min: 0, max: 2000 })
  const from = fc.record({
    width: fc.integer({ min: 1, max: 100_000 }),
    height: fc.integer({ min: 1, max: 100_000 }),
  })
  fc.assert(
    fc.property(
      fc.boolean(),
      side,
      side,
      fc.boolean(),
      from,
      (fitIn, width, height, small, from) => {
        const size = targetSize(
          { fitIn, width, height, ...(small && { noUpscale: true as const }) },
          from,
        )
        for (const side of [size.width, size.height]) {
          expect(side).toBeGreaterThanOrEqual(1)
          expect(side).toBeLessThanOrEqual(2000)
        }
      },
    ),
  )
})

test.each([
  ['image/avif,image/webp,*/*', true, true],
  ['image/webp;q=0.8', true, false],
  ['image/webp;q=0, image/avif;q=0.000', false, false],
  ['*/*', false, false],
  [undefined, false, false],
])('parses the Accept header %s', (accept, webp, avif) => {
  expect([accepts(accept, 'webp'), accepts(accept, 'avif')]).toEqual([webp, avif])
})

test('the first bytes determine the picture format', () => {
  const of = (text: string) => formatOf(Buffer.from(text, 'latin1'))
  expect(of('\xff\xd8\xff\xe0')).toBe('jpeg')
  expect(of('\x89PNG\r\n\x1a\n....')).toBe('png')
  expect(of('GIF89a')).toBe('gif')
  expect(of('RIFF....WEBPVP8 ')).toBe('webp')
  expect(of('....ftypavif')).toBe('avif')
  for (const text of ['<svg xmlns="http://www.w3.org/2000/svg"/>', '<?xml?>', '%PDF-1.7', 'BM', ''])
    expect(of(text)).toBeUndefined()
})
