import { m } from '#paraglide/messages.js'
import { navigate } from '#shell/navigation/navigation.ts'

/** The picture opened last, to restore the focus when the user returns to the article. */
let openedImage: { articleId: string; src: string } | undefined

/** Opens an article's pictures at full size, by tap and by key. Pictures inside a link follow the link. */
export function openImages(articleId: string, element: HTMLElement | null) {
  const images = [...(element?.querySelectorAll('img') ?? [])].filter((img) => !img.closest('a'))
  for (const image of images) {
    image.tabIndex = 0
    image.setAttribute('role', 'button')
    image.alt ||= m.news_open_picture()
  }
  const openedBefore = images.find(
    (img) => openedImage?.articleId === articleId && openedImage.src === img.src,
  )
  openedImage = undefined
  // After the page has focused its heading.
  const timer = openedBefore && setTimeout(() => openedBefore.focus({ preventScroll: true }))

  const open = (event: Event) => {
    const image = images.find((img) => img === event.target)
    if (!image || (event instanceof KeyboardEvent && !['Enter', ' '].includes(event.key))) return
    event.preventDefault()
    openedImage = { articleId, src: image.src }
    navigate('/preview-image', {
      urls: JSON.stringify(images.map(({ src }) => src)),
      current: String(images.indexOf(image)),
    })
  }
  element?.addEventListener('click', open)
  element?.addEventListener('keydown', open)
  return () => {
    clearTimeout(timer)
    element?.removeEventListener('click', open)
    element?.removeEventListener('keydown', open)
  }
}
