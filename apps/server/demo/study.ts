/** Content of the demo's courses besides lessons, by Chinese course name. */
type Words = [zh: string, en: string]
export type DemoWork = {
  title: Words
  text: string
  /** days from today, and a time */
  due: [number, string]
  points: number
  /** out of ten students, how many have handed it in; the demo's student first */
  handed: number
  /** marks are published */
  marked?: boolean
  /** the demo student's score */
  score?: number
  feedback?: string
}
export type DemoStudy = {
  about?: Words
  units?: [title: string, titleEn: string, text: string][]
  materials?: { title: Words; pdf?: string[]; url?: string; unit?: number; seen?: boolean }[]
  work?: DemoWork[]
  announcements?: { title: string; text: string; daysAgo: number }[]
  /** attendance checks, as days ago */
  rolls?: number[]
}

export const credits: Record<string, number> = {
  机器学习导论: 3,
  操作系统: 4,
  计算机网络: 3.5,
  编译原理: 3.5,
  机器学习实验: 1,
  学术英语写作: 2,
  数据库系统: 3,
  形势与政策: 0.5,
  操作系统课程设计: 1.5,
  '体育（羽毛球）': 1,
  数据结构: 4,
  不确定性推理: 2,
}

export const studies: Record<string, DemoStudy> = {
  机器学习导论: {
    about: [
      '介绍监督学习、无监督学习与深度学习的基本方法。平时作业占 40%，期末考试占 60%。',
      'Supervised and unsupervised learning and the basics of deep learning. Coursework counts 40%, the examination 60%.',
    ],
    units: [
      ['绪论：什么是机器学习', 'What machine learning is', '课程安排、数学基础回顾'],
      [
        '线性回归与梯度下降',
        'Linear regression and gradient descent',
        '最小二乘、学习率、正规方程',
      ],
      ['逻辑回归与分类', 'Logistic regression and classification', '交叉熵、多分类'],
      ['过拟合与正则化', 'Overfitting and regularisation', '偏差与方差、L1 与 L2'],
      ['决策树与集成', 'Trees and ensembles', '信息增益、随机森林、提升'],
      ['支持向量机', 'Support vector machines', '间隔、对偶、核方法'],
      ['聚类', 'Clustering', 'K 均值、层次聚类、EM'],
      ['降维', 'Dimensionality reduction', '主成分分析、t-SNE'],
      ['神经网络基础', 'Neural networks', '反向传播、初始化'],
      ['卷积网络', 'Convolutional networks', '图像分类'],
      ['序列模型', 'Sequence models', '循环网络与注意力'],
      ['期末复习', 'Revision', '样题讲解'],
    ],
    materials: [
      {
        title: ['课程大纲', 'Syllabus'],
        pdf: ['Introduction to Machine Learning', 'Syllabus'],
        seen: true,
      },
      {
        title: ['第 2 讲 线性回归', 'Lecture 2: Linear regression'],
        pdf: ['Lecture 2', 'Linear regression'],
        unit: 1,
        seen: true,
      },
      {
        title: ['第 3 讲 逻辑回归', 'Lecture 3: Logistic regression'],
        pdf: ['Lecture 3', 'Logistic regression'],
        unit: 2,
        seen: true,
      },
      {
        title: ['第 9 讲 神经网络基础', 'Lecture 9: Neural networks'],
        pdf: ['Lecture 9', 'Neural networks'],
        unit: 8,
      },
      {
        title: ['scikit-learn 用户指南', 'scikit-learn user guide'],
        url: 'https://scikit-learn.org/stable/user_guide.html',
      },
    ],
    work: [
      {
        title: ['作业一 线性回归', 'Assignment 1: Linear regression'],
        text: '推导正规方程，并用给定数据比较梯度下降的收敛速度。',
        due: [-38, '23:00'],
        points: 100,
        handed: 10,
        marked: true,
        score: 92,
        feedback: '推导完整，图注再清楚一些。',
      },
      {
        title: ['作业二 正则化', 'Assignment 2: Regularisation'],
        text: '比较 L1 与 L2 正则化在小样本上的效果，报告不超过四页。',
        due: [-12, '23:00'],
        points: 100,
        handed: 9,
        marked: true,
        score: 88,
        feedback: '结论可靠，实验次数偏少。',
      },
      {
        title: ['作业三 反向传播', 'Assignment 3: Backpropagation'],
        text: '不用框架实现两层网络，在手写数字上达到 95% 的正确率，交代码和一页说明。',
        due: [4, '23:00'],
        points: 100,
        handed: 3,
      },
    ],
    announcements: [
      {
        title: '期中试卷可以查看',
        text: '期中试卷周三下午在信息楼 A301 查看，有疑问当场提出。',
        daysAgo: 9,
      },
      {
        title: '下周课上带笔记本电脑',
        text: '下周一讲卷积网络，课上一起跑一遍示例，请提前装好环境。',
        daysAgo: 1,
      },
    ],
    rolls: [28, 21, 14, 7],
  },
  操作系统: {
    about: [
      '进程、内存、文件系统与并发控制，配合课程设计学习。',
      'Processes, memory, file systems and concurrency, together with the project course.',
    ],
    units: [
      ['概述与系统调用', 'Overview and system calls', ''],
      ['进程与线程', 'Processes and threads', ''],
      ['调度', 'Scheduling', ''],
      ['同步与互斥', 'Synchronisation', '信号量、管程'],
      ['死锁', 'Deadlock', ''],
      ['内存管理', 'Memory', '分页、置换'],
      ['文件系统', 'File systems', ''],
    ],
    materials: [
      {
        title: ['实验手册', 'Laboratory manual'],
        pdf: ['Operating Systems', 'Laboratory manual'],
        seen: true,
      },
      { title: ['xv6 源码', 'xv6 source'], url: 'https://github.com/mit-pdos/xv6-riscv' },
    ],
    work: [
      {
        title: ['实验三 信号量', 'Lab 3: Semaphores'],
        text: '用信号量实现读者写者问题，写者不得饿死。',
        due: [-20, '23:59'],
        points: 20,
        handed: 10,
        marked: true,
        score: 18,
      },
      {
        title: ['实验四 页面置换', 'Lab 4: Page replacement'],
        text: '实现 Clock 与 LRU 近似算法，比较缺页率，交实验报告。',
        due: [8, '23:59'],
        points: 20,
        handed: 1,
      },
    ],
    announcements: [
      { title: '实验四环境更新', text: '实验镜像已更新，请重新拉取后再做实验四。', daysAgo: 3 },
    ],
  },
  数据结构: {
    about: [
      '线性表、树、图与排序查找，每周一次上机。',
      'Lists, trees, graphs, sorting and searching, with a laboratory each week.',
    ],
    units: [
      ['线性表', 'Lists', ''],
      ['栈与队列', 'Stacks and queues', ''],
      ['树与二叉树', 'Trees', ''],
      ['图', 'Graphs', ''],
      ['查找与排序', 'Searching and sorting', ''],
    ],
    materials: [{ title: ['上机题目集', 'Exercises'], pdf: ['Data Structures', 'Exercises'] }],
    work: [
      {
        title: ['上机五 最短路径', 'Lab 5: Shortest paths'],
        text: '实现 Dijkstra 算法并分析复杂度。',
        due: [5, '22:00'],
        points: 10,
        handed: 4,
      },
    ],
    rolls: [14, 7],
  },
}

/** Courses the demo's student passed in the previous term. */
export const passed: { code: string; name: Words; credits: number; score: number }[] = [
  {
    code: 'P0001',
    name: ['概率论与数理统计', 'Probability and Statistics'],
    credits: 4,
    score: 91,
  },
  { code: 'P0002', name: ['计算机组成原理', 'Computer Organisation'], credits: 4, score: 86 },
  { code: 'P0003', name: ['离散数学', 'Discrete Mathematics'], credits: 3.5, score: 94 },
  { code: 'P0004', name: ['大学英语（四）', 'College English IV'], credits: 2, score: 89 },
]
