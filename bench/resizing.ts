import sharp from 'sharp'

export type ResizeJob = { picture: string; concurrency: number; seconds: number }

/**
 * The baseline of the image service: the same picture resized by sharp in a bare loop, with the server's concurrency.
 */
async function resize({ picture, concurrency, seconds }: ResizeJob) {
  const bytes = Buffer.from(picture, 'base64')
  sharp.concurrency(1)
  sharp.cache(false)
  const end = performance.now() + seconds * 1000
  let answers = 0
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      while (performance.now() < end) {
        await sharp(bytes)
          .resize(250, 200)
          .flatten({ background: '#ffffff' })
          .webp({ quality: 78 })
          .toBuffer()
        if (performance.now() < end) answers++
      }
    }),
  )
  return { perSecond: answers / seconds }
}

process.on('message', async (job: ResizeJob) => {
  process.send?.(await resize(job).catch((error: Error) => ({ error: error.message })))
})
process.on('disconnect', () => process.exit())
