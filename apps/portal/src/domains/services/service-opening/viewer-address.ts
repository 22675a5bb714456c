type Programs = { isDingTalk: boolean; isWeCom: boolean; isFeishu: boolean }

/**
 * The address with which a work app opens a page in a separate window; undefined outside such an app. DingTalk has its
 * own scheme ("unified link" in its documentation); the others do so with a plain address.
 */
export function viewerAddress({ isDingTalk, isWeCom, isFeishu }: Programs, url: string) {
  if (isDingTalk)
    return `dingtalk://dingtalkclient/page/link?url=${encodeURIComponent(url)}&pc_slide=true`
  return isWeCom || isFeishu ? url : undefined
}
