import sharp from 'sharp'
import type { Db } from '../src/platform/database/db.ts'
import type { Files } from '../src/platform/storage/files.ts'
import { launchItemsAt } from './launch.ts'
import { launchPictures } from './launch-pictures.ts'
import { logo, pictures } from './pictures.ts'
import { type audiences, type Ids, insert, type Row } from './rows.ts'

export async function fillLaunch(
  db: Db,
  today: Date,
  files: Files,
  imageIds: Ids,
  audienceOf: ReturnType<typeof audiences>,
) {
  const picture = (key: string) =>
    files.address({ id: imageIds.get(key) as string, is_public: true }, `${key}.webp`)
  const rows: Row[] = []
  for (const [at, { kind, content, audience }] of launchItemsAt(today, picture).entries()) {
    rows.push({
      id: at + 1,
      kind,
      content,
      audience_id: await audienceOf(audience),
      position: at + 1,
      online: true,
      updated_at: today,
    })
  }
  await insert(db, 'launch_item', rows)
}

/** Renders every picture and the crest as WebP. */
export async function drawPictures(): Promise<Map<string, Buffer>> {
  const drawings = [
    ...Object.entries({ ...pictures, ...launchPictures }).map(
      ([key, draw]) => [key, draw()] as const,
    ),
    ['logo', logo()] as const,
  ]
  const rendered = await Promise.all(
    drawings.map(
      async ([key, svg]) =>
        [key, await sharp(Buffer.from(svg)).webp({ quality: 82, effort: 2 }).toBuffer()] as const,
    ),
  )
  return new Map(rendered)
}
