import { useEffect } from 'react'
import { environment } from '#lib/environment.ts'

/** Sets what WeChat's own menu shares from a shared page: the page with its title, rather than a bare address. */
export function useWeChatShare(title: string | undefined, text: string, image: string) {
  useEffect(() => {
    if (!environment.isWeChat || !title) return
    const url = location.href.replace(/#.*/, '')
    const imageUrl = image && new URL(image, location.origin).href
    let isShown = true
    void import('#shell/container/share-menu.ts')
      .then(({ offerWhileShown }) =>
        isShown ? offerWhileShown({ title, text, url, image: imageUrl }) : undefined,
      )
      // If this fails, the menu shares the address.
      .catch(() => {})
    return () => {
      isShown = false
    }
  }, [title, text, image])
}
