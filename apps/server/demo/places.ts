import type { Place } from '@atrium/contract/shell/map'

export type DemoPlace = Omit<Place, 'id'> & { code: string }

type Row = [
  kind: Place['kind'],
  name: string,
  nameEn: string,
  north: number,
  east: number,
  shortName?: string,
]
/** Opening hours by kind, in OpenStreetMap's notation. */
const hoursOf: Partial<Record<Place['kind'], string>> = {
  library: 'Mo-Fr 08:00-22:00; Sa,Su 09:00-21:00',
  canteen: '06:30-09:00,10:45-13:00,16:45-19:30',
  sports: 'Mo-Fr 06:30-22:00; Sa,Su 08:00-21:00',
  culture: 'Tu-Su 09:00-17:00',
  health: '24/7',
  office: 'Mo-Fr 08:30-11:30,14:00-17:00',
}
type Campus = {
  address: string
  addressEn: string
  latitude: number
  longitude: number
  rows: Row[]
}

/** Both campuses; positions are metres north and east of their centre. The city is fictional, the hills are real. */
const campuses: Campus[] = [
  {
    address: '岚山校区 · 临汐市学府路 1 号',
    addressEn: 'Lanshan Campus · 1 Xuefu Road, Linxi',
    latitude: 29.4312,
    longitude: 120.2846,
    rows: [
      ['gate', '南门', 'South Gate', -520, 10],
      ['gate', '东门', 'East Gate', 40, 690],
      ['gate', '北门', 'North Gate', 560, -60],
      ['library', '图书馆主馆', 'Main Library', 0, 0],
      ['library', '图书馆东楼', 'Library East Wing', 10, 95],
      ['teaching', '第一教学楼', 'Teaching Building 1', -180, -120, '教一'],
      ['teaching', '第二教学楼', 'Teaching Building 2', -230, 20, '教二'],
      ['teaching', '第三教学楼', 'Teaching Building 3', -190, 140, '教三'],
      ['teaching', '信息楼', 'Information Building', 150, 260],
      ['teaching', '理科楼', 'Science Building', 190, -210],
      ['teaching', '经管楼', 'Business Building', -60, -330],
      ['teaching', '外语楼', 'Foreign Languages Building', -90, 330],
      ['teaching', '工程训练中心', 'Engineering Training Centre', 320, 410],
      ['canteen', '第一食堂', 'Canteen 1', -260, 420],
      ['canteen', '第二食堂', 'Canteen 2', 380, -330],
      ['dormitory', '学生公寓一区', 'Student Residences, Area 1', -300, 540],
      ['dormitory', '学生公寓二区', 'Student Residences, Area 2', 450, -390],
      ['sports', '体育馆', 'Sports Hall', 120, -480],
      ['sports', '田径场', 'Athletics Track', 40, -560],
      ['sports', '岚湖码头', 'Lanhu Boathouse', 330, 120],
      ['culture', '大学生活动中心', 'Student Centre', -240, 250],
      ['culture', '美术馆', 'Art Museum', -350, -90],
      ['culture', '校史馆', 'University Museum', -400, 80],
      ['health', '校医院', 'University Hospital', 280, -450],
      ['office', '行政楼', 'Administration Building', -330, -10],
      ['office', '学生事务大厅', 'Student Services Hall', -290, 60],
      ['transport', '校区班车站（岚山）', 'Campus Shuttle, Lanshan', -500, 60],
    ],
  },
  {
    address: '江北校区 · 临汐市滨江大道 88 号',
    addressEn: 'Jiangbei Campus · 88 Binjiang Avenue, Linxi',
    latitude: 29.4655,
    longitude: 120.2571,
    rows: [
      ['gate', '江北校区正门', 'Jiangbei Main Gate', -210, 0],
      ['teaching', '医学楼', 'Medicine Building', 60, -40],
      ['library', '图书馆江北分馆', 'Library, Jiangbei Branch', 30, 110],
      ['canteen', '江北食堂', 'Jiangbei Canteen', 140, 150],
      ['transport', '校区班车站（江北）', 'Campus Shuttle, Jiangbei', -200, 40],
    ],
  },
]

export const places: DemoPlace[] = campuses.flatMap(({ rows, ...campus }, at) =>
  rows.map(([kind, name, nameEn, north, east, shortName = ''], index) => ({
    code: `${at + 1}-${index + 1}`,
    kind,
    name,
    nameEn,
    shortName,
    address: campus.address,
    addressEn: campus.addressEn,
    hours: hoursOf[kind] ?? '',
    latitude: round(campus.latitude + north / 111_320),
    longitude: round(
      campus.longitude + east / (111_320 * Math.cos((campus.latitude * Math.PI) / 180)),
    ),
  })),
)

/** Five decimals are about one metre. */
function round(degrees: number) {
  return Math.round(degrees * 1e5) / 1e5
}
