/**
 * The fixed figures of the specification, each with its source (`shell` or `areas`, then the section number). Times in
 * milliseconds, lengths in CSS pixels unless noted otherwise. Components read them from here.
 */
export const figures = {
  // Toasts, notices, overlays
  toastDuration: 2000, // shell 9
  toastLayer: 10090, // shell 9
  overlayLayer: 10070, // shell 9
  overlayOpacity: 0.5, // shell 9
  overlayDuration: 300, // shell 9
  notifyDuration: 3000, // shell 9, areas 9
  noticeBarSpeed: 80, // shell 9: pixels per second
  noticeBarFontSize: 14, // shell 9

  // Loading
  loadingDelay: 200, // shell 4, shell 9
  loadingMinimum: 500, // shell 4, shell 9, areas 9
  pageTimeout: 60_000, // shell 4, shell 9: for the whole page
  chunkTimeout: 120_000, // shell 9: for the script of one chunk

  // Calls
  guestRequestTimeout: 10_000, // shell 7, shell 9, areas 9: the login-free client
  requestTimeout: 60_000, // shell 7, shell 9, areas 9
  socketConnectTimeout: 60_000, // shell 9
  uploadTimeout: 20_000, // shell 7, shell 9
  downloadTimeout: 60_000, // shell 7, shell 9

  // Behaviour
  debounce: 500, // shell 9, areas 9
  tabSwitchEventDelay: 300, // shell 2, shell 9
  exitEventThreshold: 8000, // shell 4, shell 9, areas 9
  swiperInterval: 3000, // shell 9
  imageFade: 500, // shell 9
  countToDuration: 2000, // shell 9
  maxRpxWidth: 5000, // shell 9

  // Forms
  codeLength: 6, // shell 5, shell 9
  codeCountdown: 60_000, // shell 5, shell 9
  datePickerYears: 10, // shell 9: before and after today
  pickerItemHeight: 44, // shell 9
  pickerVisibleItems: 5, // shell 9
  calendarMonths: 3, // shell 9
  uploadMaxCount: 52, // shell 9, areas 9
  textareaMaxLength: 140, // shell 9, areas 9
  albumMaxCount: 9, // shell 9, areas 9
  rateCount: 5, // shell 9, areas 9

  // Lists and pictures
  tabs: 5, // shell 9
  badgeMax: 999, // shell 9
  servicesPerRow: 5, // shell 9, areas 9
  pageSize: 9999, // areas 9: as requested by old callers
  tabScrollBottom: 50, // shell 2, areas 9: news and task tabs
  listScrollBottom: 150, // areas 9: personaltodo and addExecutor
  pullDownHeight: 100, // areas 9: personaltodo
  pullDownOffset: 40, // areas 9: personaltodo
  thumbnail: { width: 220, height: 146 }, // shell 9, areas 9
  serviceIcon: { width: 200, height: 200 }, // shell 9, areas 9
  shareIcon: { width: 250, height: 200 }, // shell 7, shell 9

  // Codes on the wire
  terminal: { pc: 1, superApp: 2, miniProgram: 3, paymentMiniProgram: 4, h5: 6 }, // shell 1, shell 9
  newsShare: { off: 0, regular: 1, quick: 2, other: 1 }, // shell 9, areas 4
  serviceShare: { off: 0, regular: 1, quick: 2, direct: 3, other: 1 }, // shell 9, areas 4
} as const
