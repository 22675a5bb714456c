import './slideshow.css'
import { launch, type Slide } from '@atrium/contract/shell/launch'
import { useQuery } from '@tanstack/react-query'
import type { MouseEvent } from 'react'
import { foreignLang, inLanguage } from '#lib/language.ts'
import { q } from '#lib/queries.ts'
import { m } from '#paraglide/messages.js'
import { openAddress } from '#shell/navigation/navigation.ts'
import { Picture } from '#ui/media/picture.tsx'
import { Swiper } from '#ui/media/swiper.tsx'

/** The institution's slides. Reserves their space while loading; renders nothing without slides or if loading fails. */
export default function Slideshow() {
  const slides = useQuery({ ...q(launch.slides), staleTime: 5 * 60_000 })
  if (slides.isPending) return <div className="slideshow" />
  if (!slides.data?.length) return null
  return (
    <div className="slideshow">
      <Swiper
        label={m.home_slides()}
        slides={slides.data.map((slide) => ({ key: slide.id, content: <Content {...slide} /> }))}
      />
    </div>
  )
}

function Content({ imageUrl, link, title, titleEn }: Slide) {
  const content = (
    <>
      <Picture src={ofOurOrigin(imageUrl)} width={1056} height={462} />
      <span className="slide-title two-lines" lang={foreignLang(title, titleEn)}>
        {inLanguage(title, titleEn)}
      </span>
    </>
  )
  const follow = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    openAddress(link)
  }
  if (!link) return <div className="slide">{content}</div>
  return (
    <a className="slide" href={link} onClick={follow}>
      {content}
    </a>
  )
}

/** External pictures come through the image service, the only source that the Content-Security-Policy allows. */
const ofOurOrigin = (url: string) =>
  url.startsWith('/') ? url : `/thumbor/unsafe/fit-in/1080x0/${encodeURIComponent(url)}`
