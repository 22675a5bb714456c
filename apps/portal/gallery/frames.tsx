import { inLanguage } from '#lib/language.ts'
import { Card } from '#ui/card.tsx'
import { Icon, iconNames } from '../src/ui/media/icon.tsx'
import { IconTile, type Tone } from '../src/ui/media/icon-tile.tsx'
import { Picture } from '../src/ui/media/picture.tsx'
import { Swiper } from '../src/ui/media/swiper.tsx'

const tones: Tone[] = ['blue', 'orange', 'green', 'violet', 'amber', 'teal']

/** Components that show content. */
export function Frames() {
  return (
    <>
      <Card title={inLanguage('轮播', 'Slides')}>
        <div className="gallery-swiper">
          <Swiper
            label={inLanguage('校园活动', 'On campus')}
            slides={[1, 2, 3].map((number) => ({
              key: String(number),
              content: (
                <a className="gallery-slide" href={`#${number}`}>
                  {inLanguage(`第 ${number} 张`, `Slide ${number}`)}
                </a>
              ),
            }))}
          />
        </div>
      </Card>
      <Card title={inLanguage('图片', 'Pictures')}>
        <div className="gallery-row">
          <div className="gallery-picture">
            <Picture src="/icon.svg" width={128} height={88} />
          </div>
          <div className="gallery-picture">
            <Picture src="/files/0" width={128} height={88} />
          </div>
          {tones.map((tone) => (
            <IconTile key={tone} glyph="library" tone={tone} />
          ))}
        </div>
      </Card>
      <Card title={inLanguage('图标', 'Icons')}>
        <div className="gallery-row">
          {iconNames.map((name) => (
            <Icon key={name} name={name} label={name} />
          ))}
        </div>
      </Card>
    </>
  )
}
