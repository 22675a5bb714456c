import { expect, test } from 'vitest'
import { figures } from './figures.ts'

// Quotes of the specification (shell, section 9; business areas, section 9) that name these figures.
const specification: Record<string, unknown[]> = {
  'Chunk load timeout 120000 ms; async page delay 200 ms and timeout 60000 ms': [
    figures.chunkTimeout,
    figures.loadingDelay,
    figures.pageTimeout,
  ],
  'Request timeout defaults 60000 ms and 10000 ms; socket connect 60000 ms; upload 20000 ms; download 60000 ms':
    [
      figures.requestTimeout,
      figures.guestRequestTimeout,
      figures.socketConnectTimeout,
      figures.uploadTimeout,
      figures.downloadTimeout,
    ],
  'Tab-switch event delay 300 ms; loading minimum 500 ms; debounce 500 ms': [
    figures.tabSwitchEventDelay,
    figures.loadingMinimum,
    figures.debounce,
  ],
  'Toast default 2000 ms, z-index 10090; overlay z-index 10070, duration 300; notify duration 3000 ms':
    [
      figures.toastDuration,
      figures.toastLayer,
      figures.overlayLayer,
      figures.overlayDuration,
      figures.notifyDuration,
    ],
  'notice bar speed 80, font size 14': [figures.noticeBarSpeed, figures.noticeBarFontSize],
  'Share icon default 250x200. Thumbnails 220x146 default, service icon 200x200': [
    figures.shareIcon.width,
    figures.shareIcon.height,
    figures.thumbnail.width,
    figures.thumbnail.height,
    figures.serviceIcon.width,
    figures.serviceIcon.height,
  ],
  'Verification code length 6; badge max 999; swiper interval 3000 ms; calendar 3 months': [
    figures.codeLength,
    figures.badgeMax,
    figures.swiperInterval,
    figures.calendarMonths,
  ],
  'upload max count 52; textarea max length 140; album max 9; rate count 5; picker item height 44 with 5 visible items':
    [
      figures.uploadMaxCount,
      figures.textareaMaxLength,
      figures.albumMaxCount,
      figures.rateCount,
      figures.pickerItemHeight,
      figures.pickerVisibleItems,
    ],
  'image fade 500 ms; count-to duration 2000 ms. Max device width for rpx calculation 5000': [
    figures.imageFade,
    figures.countToDuration,
    figures.maxRpxWidth,
  ],
  'Terminal codes: 1 PC, 2 super app, 3 mini-program, 4 payment mini-program, 6 mobile web':
    Object.values(figures.terminal),
  'off=0, regular=1, quick=2, direct=3, other=1': Object.values(figures.serviceShare),
  'Scroll-to-bottom distance 50 for news and task tabs, 150 for lists; pull-down height 100px, offset 40px':
    [
      figures.tabScrollBottom,
      figures.listScrollBottom,
      figures.pullDownHeight,
      figures.pullDownOffset,
    ],
  'Services per row 5. Default page size 9999': [figures.servicesPerRow, figures.pageSize],
}

test.each(Object.entries(specification))('%s', (sentence, values) => {
  const named = sentence.match(/\d+/g)?.map(Number)
  expect(values).toEqual(named)
})

test('figures that the specification gives in other units', () => {
  expect(figures.codeCountdown).toBe(60 * 1000)
  expect(figures.exitEventThreshold).toBe(8 * 1000)
  expect(figures.overlayOpacity).toBe(0.5)
  expect(figures.datePickerYears).toBe(10)
  expect(figures.tabs).toBe(5)
  expect(Object.values(figures.newsShare)).toEqual([0, 1, 2, 1])
})
