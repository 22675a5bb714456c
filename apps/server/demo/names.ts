import type { Random } from './random.ts'

export type DemoName = { name: string; nameEn: string; gender: 'female' | 'male' }

/** Surnames, their romanisation, and their approximate frequency per ten thousand. */
const surnames: [surname: string, roman: string, weight: number][] = [
  ['王', 'Wang', 720],
  ['李', 'Li', 700],
  ['张', 'Zhang', 670],
  ['刘', 'Liu', 520],
  ['陈', 'Chen', 460],
  ['杨', 'Yang', 310],
  ['黄', 'Huang', 240],
  ['赵', 'Zhao', 220],
  ['吴', 'Wu', 200],
  ['周', 'Zhou', 195],
  ['徐', 'Xu', 150],
  ['孙', 'Sun', 145],
  ['马', 'Ma', 130],
  ['朱', 'Zhu', 125],
  ['胡', 'Hu', 120],
  ['郭', 'Guo', 115],
  ['何', 'He', 110],
  ['林', 'Lin', 108],
  ['高', 'Gao', 105],
  ['罗', 'Luo', 100],
  ['郑', 'Zheng', 95],
  ['梁', 'Liang', 90],
  ['谢', 'Xie', 80],
  ['宋', 'Song', 78],
  ['唐', 'Tang', 75],
  ['许', 'Xu', 72],
  ['韩', 'Han', 70],
  ['邓', 'Deng', 68],
  ['冯', 'Feng', 66],
  ['曹', 'Cao', 64],
  ['彭', 'Peng', 62],
  ['曾', 'Zeng', 60],
  ['肖', 'Xiao', 58],
  ['田', 'Tian', 56],
  ['董', 'Dong', 54],
  ['潘', 'Pan', 50],
  ['袁', 'Yuan', 48],
  ['蔡', 'Cai', 47],
  ['蒋', 'Jiang', 46],
  ['余', 'Yu', 45],
  ['于', 'Yu', 44],
  ['杜', 'Du', 43],
  ['叶', 'Ye', 42],
  ['程', 'Cheng', 41],
  ['魏', 'Wei', 40],
  ['苏', 'Su', 40],
  ['吕', 'Lü', 39],
  ['丁', 'Ding', 38],
  ['任', 'Ren', 37],
  ['卢', 'Lu', 36],
  ['姚', 'Yao', 35],
  ['沈', 'Shen', 34],
  ['钟', 'Zhong', 33],
  ['姜', 'Jiang', 32],
  ['崔', 'Cui', 31],
  ['谭', 'Tan', 30],
  ['陆', 'Lu', 30],
  ['范', 'Fan', 29],
  ['汪', 'Wang', 28],
  ['廖', 'Liao', 27],
  ['石', 'Shi', 26],
  ['金', 'Jin', 26],
  ['韦', 'Wei', 25],
  ['贾', 'Jia', 25],
  ['夏', 'Xia', 24],
  ['付', 'Fu', 23],
  ['方', 'Fang', 23],
  ['邹', 'Zou', 22],
  ['熊', 'Xiong', 22],
  ['白', 'Bai', 21],
  ['孟', 'Meng', 20],
  ['秦', 'Qin', 20],
  ['邱', 'Qiu', 19],
  ['侯', 'Hou', 18],
  ['江', 'Jiang', 18],
  ['尹', 'Yin', 17],
  ['薛', 'Xue', 17],
  ['闫', 'Yan', 16],
  ['雷', 'Lei', 15],
  ['龙', 'Long', 14],
  ['史', 'Shi', 13],
  ['陶', 'Tao', 13],
  ['贺', 'He', 12],
  ['毛', 'Mao', 12],
  ['郝', 'Hao', 11],
  ['顾', 'Gu', 11],
  ['龚', 'Gong', 10],
  ['邵', 'Shao', 10],
  ['万', 'Wan', 9],
  ['覃', 'Qin', 9],
  ['武', 'Wu', 9],
  ['钱', 'Qian', 8],
  ['戴', 'Dai', 8],
  ['严', 'Yan', 8],
  ['莫', 'Mo', 7],
  ['孔', 'Kong', 7],
  ['向', 'Xiang', 6],
  ['常', 'Chang', 6],
  ['单', 'Shan', 4],
  ['仇', 'Qiu', 3],
  ['欧阳', 'Ouyang', 14],
  ['上官', 'Shangguan', 4],
  ['司徒', 'Situ', 4],
  ['诸葛', 'Zhuge', 4],
  ['司马', 'Sima', 3],
  ['皇甫', 'Huangfu', 3],
  ['尉迟', 'Yuchi', 2],
  ['慕容', 'Murong', 2],
]

type Syllable = [character: string, roman: string]
const syllables = (text: string): Syllable[] =>
  text.split(' ').map((pair) => [pair[0] ?? '', pair.slice(1)])

/** Characters of given names by generation; first and second position differ, as in reality. */
const young = {
  female: {
    first: syllables(
      '知zhi 雨yu 梓zi 思si 欣xin 诗shi 若ruo 语yu 佳jia 晓xiao 静jing 婉wan 清qing 子zi 书shu 安an 念nian 心xin 沐mu 以yi 可ke 嘉jia 芷zhi 一yi 梦meng 乐le 怡yi 君jun 慧hui 明ming',
    ),
    second: syllables(
      '涵han 彤tong 萱xuan 琪qi 怡yi 瑶yao 宁ning 妍yan 雯wen 婷ting 然ran 晴qing 夏xia 溪xi 悦yue 菲fei 琳lin 露lu 月yue 茜qian 颖ying 洁jie 馨xin 桐tong 竹zhu 禾he 岚lan 薇wei 宜yi 蓉rong',
    ),
  },
  male: {
    first: syllables(
      '子zi 浩hao 宇yu 俊jun 一yi 梓zi 明ming 嘉jia 泽ze 天tian 文wen 思si 家jia 景jing 承cheng 博bo 启qi 皓hao 逸yi 昊hao 致zhi 云yun 立li 瑞rui 若ruo 奕yi 鸿hong 修xiu 志zhi 维wei',
    ),
    second: syllables(
      '轩xuan 然ran 宇yu 杰jie 涛tao 辰chen 豪hao 远yuan 睿rui 航hang 博bo 阳yang 翔xiang 凯kai 晨chen 霖lin 铭ming 哲zhe 恒heng 诚cheng 毅yi 川chuan 舟zhou 峰feng 洋yang 鑫xin 源yuan 川chuan 言yan 安an',
    ),
  },
}
const older = {
  female: {
    first: syllables(
      '丽li 秀xiu 玉yu 春chun 晓xiao 海hai 雪xue 文wen 淑shu 美mei 红hong 建jian 慧hui 爱ai 月yue 桂gui 亚ya 素su 敏min 静jing',
    ),
    second: syllables(
      '华hua 英ying 芳fang 梅mei 燕yan 娟juan 萍ping 霞xia 玲ling 敏min 琴qin 云yun 红hong 丽li 艳yan 莉li 洁jie 兰lan 青qing 宁ning',
    ),
  },
  male: {
    first: syllables(
      '建jian 志zhi 国guo 明ming 海hai 文wen 永yong 德de 卫wei 晓xiao 立li 振zhen 宏hong 新xin 家jia 少shao 向xiang 光guang 伟wei 学xue',
    ),
    second: syllables(
      '军jun 强qiang 平ping 华hua 明ming 波bo 辉hui 林lin 东dong 生sheng 伟wei 峰feng 刚gang 民min 斌bin 勇yong 良liang 清qing 忠zhong 宁ning',
    ),
  },
}

const rare: DemoName[] = [
  { name: '阿依古丽·买买提', nameEn: 'Ayigul Memet', gender: 'female' },
  { name: '迪丽努尔·艾合买提', nameEn: 'Dilnur Ahmet', gender: 'female' },
  { name: '古丽米热·阿卜杜克热木', nameEn: 'Gulmire Abdukerim', gender: 'female' },
  { name: '热依扎·叶尔肯', nameEn: 'Rayza Yerken', gender: 'female' },
  { name: '麦麦提江·吐尔逊', nameEn: 'Memetjan Tursun', gender: 'male' },
  { name: '艾尼瓦尔·热合曼', nameEn: 'Aniwar Rahman', gender: 'male' },
  { name: '叶尔兰·赛力克', nameEn: 'Yerlan Serik', gender: 'male' },
  { name: '扎西顿珠', nameEn: 'Tashi Dondrup', gender: 'male' },
  { name: '次仁卓玛', nameEn: 'Tsering Drolma', gender: 'female' },
  { name: '格桑旺堆', nameEn: 'Kelsang Wangdu', gender: 'male' },
  { name: '丹增央金', nameEn: 'Tenzin Yangchen', gender: 'female' },
  { name: '乌云其木格', nameEn: 'Oyunchimeg', gender: 'female' },
  { name: '巴特尔', nameEn: 'Baatar', gender: 'male' },
  { name: '苏日娜', nameEn: 'Surna', gender: 'female' },
  { name: '阿木古楞', nameEn: 'Amuguleng', gender: 'male' },
  { name: '吉克阿呷', nameEn: 'Jike Aga', gender: 'female' },
  { name: '沙马木果', nameEn: 'Shama Muguo', gender: 'male' },
  { name: '刀玉香', nameEn: 'Dao Yuxiang', gender: 'female' },
]

const foreign: DemoName[] = [
  { name: 'Amara Okafor', nameEn: 'Amara Okafor', gender: 'female' },
  { name: 'Nguyễn Thị Mai', nameEn: 'Nguyễn Thị Mai', gender: 'female' },
  { name: 'Somchai Phanthong', nameEn: 'Somchai Phanthong', gender: 'male' },
  { name: 'Aisyah Rahmawati', nameEn: 'Aisyah Rahmawati', gender: 'female' },
  { name: 'Tomás Herrera Vidal', nameEn: 'Tomás Herrera Vidal', gender: 'male' },
  { name: 'Jelena Marković', nameEn: 'Jelena Marković', gender: 'female' },
  { name: 'Bilal Ahmad Qureshi', nameEn: 'Bilal Ahmad Qureshi', gender: 'male' },
  { name: 'Chanthavong Keo', nameEn: 'Chanthavong Keo', gender: 'male' },
  { name: 'Fatoumata Diallo', nameEn: 'Fatoumata Diallo', gender: 'female' },
  { name: 'Yerbolat Sultanov', nameEn: 'Yerbolat Sultanov', gender: 'male' },
  { name: 'Clémence Moreau', nameEn: 'Clémence Moreau', gender: 'female' },
  { name: 'Takumi Shirakawa', nameEn: 'Takumi Shirakawa', gender: 'male' },
  { name: 'Han Seo-yeon', nameEn: 'Han Seo-yeon', gender: 'female' },
  { name: 'Dilshod Karimov', nameEn: 'Dilshod Karimov', gender: 'male' },
  { name: 'Nomvula Dlamini', nameEn: 'Nomvula Dlamini', gender: 'female' },
  { name: 'Matthias Brenner', nameEn: 'Matthias Brenner', gender: 'male' },
]

export type Generation = 'young' | 'older'

/** Draws names without repetition. */
export function nameSource(chance: Random) {
  const taken = new Set<string>()
  const rareLeft = chance.shuffle(rare)
  const foreignLeft = chance.shuffle(foreign)
  return {
    chinese(generation: Generation): DemoName {
      for (;;) {
        const drawn = chineseName(chance, generation)
        // Keep every fiftieth duplicate: namesakes are rare but real.
        if (taken.has(drawn.name) && !chance.chance(0.02)) continue
        taken.add(drawn.name)
        return drawn
      }
    },
    rare: () => rareLeft.pop(),
    foreign: () => foreignLeft.pop(),
  }
}

function chineseName(chance: Random, generation: Generation): DemoName {
  const gender = chance.chance(generation === 'young' ? 0.49 : 0.42) ? 'female' : 'male'
  const [surname, surnameRoman] = chance.weighted(
    surnames.map(([text, roman, weight]) => [[text, roman] as const, weight] as const),
  )
  const places = (generation === 'young' ? young : older)[gender]
  const first = chance.pick(places.first)
  const second = chance.pick(places.second)
  const single = surname.length === 1 && chance.chance(generation === 'young' ? 0.12 : 0.2)
  const given = single || first[0] === second[0] ? [second] : [first, second]
  const roman = given.map(([, sound]) => sound)
  return {
    name: surname + given.map(([character]) => character).join(''),
    nameEn: `${surnameRoman} ${capital(joinSyllables(roman))}`,
    gender,
  }
}

/** Pinyin inserts an apostrophe before a second syllable that starts with a vowel: Zi'an. */
const joinSyllables = ([first = '', second = '']: string[]) =>
  second && /^[aoe]/.test(second) ? `${first}'${second}` : first + second
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
