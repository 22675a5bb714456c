/**
 * Zones selectable for the schedule, from west to east. The offset in a name is the standard one, without summer time.
 */
export const timeZones = [
  {
    value: 'Etc/GMT+12',
    name: '(UTC-12:00) 国际日期变更线西',
    nameEn: '(UTC-12:00) International Date Line West',
  },
  {
    value: 'Pacific/Pago_Pago',
    name: '(UTC-11:00) 萨摩亚标准时间',
    nameEn: '(UTC-11:00) Samoa Standard Time (Pago Pago)',
  },
  {
    value: 'Pacific/Honolulu',
    name: '(UTC-10:00) 夏威夷标准时间',
    nameEn: '(UTC-10:00) Hawaii Standard Time',
  },
  {
    value: 'America/Anchorage',
    name: '(UTC-09:00) 阿拉斯加标准时间',
    nameEn: '(UTC-09:00) Alaska Standard Time',
  },
  {
    value: 'America/Los_Angeles',
    name: '(UTC-08:00) 太平洋标准时间',
    nameEn: '(UTC-08:00) Pacific Standard Time (Los Angeles)',
  },
  {
    value: 'America/Denver',
    name: '(UTC-07:00) 山地标准时间',
    nameEn: '(UTC-07:00) Mountain Standard Time (Denver)',
  },
  {
    value: 'America/Chicago',
    name: '(UTC-06:00) 中部标准时间',
    nameEn: '(UTC-06:00) Central Standard Time (Chicago)',
  },
  {
    value: 'America/New_York',
    name: '(UTC-05:00) 东部标准时间',
    nameEn: '(UTC-05:00) Eastern Standard Time (New York)',
  },
  {
    value: 'America/Halifax',
    name: '(UTC-04:00) 大西洋标准时间',
    nameEn: '(UTC-04:00) Atlantic Standard Time (Halifax)',
  },
  {
    value: 'America/Sao_Paulo',
    name: '(UTC-03:00) 巴西利亚标准时间',
    nameEn: '(UTC-03:00) Brasilia Standard Time (Sao Paulo)',
  },
  {
    value: 'Atlantic/South_Georgia',
    name: '(UTC-02:00) 中大西洋标准时间',
    nameEn: '(UTC-02:00) Mid-Atlantic Standard Time (South Georgia)',
  },
  {
    value: 'Atlantic/Cape_Verde',
    name: '(UTC-01:00) 佛得角标准时间',
    nameEn: '(UTC-01:00) Cape Verde Standard Time',
  },
  {
    value: 'Europe/London',
    name: '(UTC+00:00) 格林尼治标准时间',
    nameEn: '(UTC+00:00) Greenwich Mean Time (London)',
  },
  {
    value: 'Europe/Berlin',
    name: '(UTC+01:00) 中欧标准时间',
    nameEn: '(UTC+01:00) Central European Standard Time (Berlin)',
  },
  {
    value: 'Europe/Athens',
    name: '(UTC+02:00) 东欧标准时间',
    nameEn: '(UTC+02:00) Eastern European Standard Time (Athens)',
  },
  {
    value: 'Europe/Moscow',
    name: '(UTC+03:00) 莫斯科标准时间',
    nameEn: '(UTC+03:00) Moscow Standard Time',
  },
  {
    value: 'Asia/Tehran',
    name: '(UTC+03:30) 伊朗标准时间',
    nameEn: '(UTC+03:30) Iran Standard Time (Tehran)',
  },
  {
    value: 'Asia/Dubai',
    name: '(UTC+04:00) 海湾标准时间',
    nameEn: '(UTC+04:00) Gulf Standard Time (Dubai)',
  },
  {
    value: 'Asia/Karachi',
    name: '(UTC+05:00) 巴基斯坦标准时间',
    nameEn: '(UTC+05:00) Pakistan Standard Time (Karachi)',
  },
  {
    value: 'Asia/Kolkata',
    name: '(UTC+05:30) 印度标准时间',
    nameEn: '(UTC+05:30) India Standard Time',
  },
  {
    value: 'Asia/Kathmandu',
    name: '(UTC+05:45) 尼泊尔标准时间',
    nameEn: '(UTC+05:45) Nepal Standard Time (Kathmandu)',
  },
  {
    value: 'Asia/Dhaka',
    name: '(UTC+06:00) 孟加拉国标准时间',
    nameEn: '(UTC+06:00) Bangladesh Standard Time (Dhaka)',
  },
  {
    value: 'Asia/Yangon',
    name: '(UTC+06:30) 缅甸标准时间',
    nameEn: '(UTC+06:30) Myanmar Standard Time (Yangon)',
  },
  {
    value: 'Asia/Bangkok',
    name: '(UTC+07:00) 中南半岛标准时间',
    nameEn: '(UTC+07:00) Indochina Standard Time (Bangkok)',
  },
  {
    value: 'Asia/Shanghai',
    name: '(UTC+08:00) 中国标准时间',
    nameEn: '(UTC+08:00) China Standard Time',
  },
  {
    value: 'Asia/Tokyo',
    name: '(UTC+09:00) 日本标准时间',
    nameEn: '(UTC+09:00) Japan Standard Time',
  },
  {
    value: 'Australia/Darwin',
    name: '(UTC+09:30) 澳大利亚中部标准时间',
    nameEn: '(UTC+09:30) Australian Central Standard Time (Darwin)',
  },
  {
    value: 'Australia/Sydney',
    name: '(UTC+10:00) 澳大利亚东部标准时间',
    nameEn: '(UTC+10:00) Australian Eastern Standard Time (Sydney)',
  },
  {
    value: 'Pacific/Guadalcanal',
    name: '(UTC+11:00) 所罗门群岛标准时间',
    nameEn: '(UTC+11:00) Solomon Islands Standard Time',
  },
  {
    value: 'Pacific/Auckland',
    name: '(UTC+12:00) 新西兰标准时间',
    nameEn: '(UTC+12:00) New Zealand Standard Time',
  },
  {
    value: 'Pacific/Tongatapu',
    name: '(UTC+13:00) 汤加标准时间',
    nameEn: '(UTC+13:00) Tonga Standard Time',
  },
] as const
