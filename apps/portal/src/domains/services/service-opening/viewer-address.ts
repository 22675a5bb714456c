type Programs = { isDingTalk: boolean; isWeCom: boolean; isFeishu: boolean }

/**
 * What a program for work is handed so that it shows a page in a window of its own; nothing outside such a program. DingTalk
 * has a scheme for it (its documents, "unified link"); the others open a plain address so.
 */
export function viewerAddress({ isDingTalk, isWeCom, isFeishu }: Programs, url: string) {
  if (isDingTalk)
    return `dingtalk://dingtalkclient/page/link?url=${encodeURIComponent(url)}&pc_slide=true`
  return isWeCom || isFeishu ? url : undefined
}
