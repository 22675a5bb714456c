/** English title and note of tasks, by Chinese title; the note belongs to the first task of that title. */
export const tasksEnglish: Record<string, [title: string, note: string]> = {
  奖学金材料补充: ['Scholarship: add a document', 'Returned: please add the sealed transcript'],
  宿舍安全承诺书签署: [
    'Sign the dormitory safety agreement',
    'Read each point, then sign; about three minutes',
  ],
  开题面谈记录确认: [
    'Confirm the record of your thesis talk',
    'Zhou Mingyuan has written it; please check',
  ],
  综合素质测评结果确认: ['Confirm your yearly assessment', 'Total 88.6, fourth in the class'],
  实验室安全承诺书: ['Laboratory safety agreement', 'Safety test 96; access for one year'],
  '班级评议：国家励志奖学金': [
    'Class review: national scholarship',
    'You are on the panel; papers are confidential',
  ],
  '事假申请（1 天）': ['Personal leave, 1 day', 'Family matter, back the next evening'],
  '教室借用：算法协会周赛讲评': ['Room booking: algorithm club', 'Waiting for the registry'],
  '勤工助学岗位申请：图书馆助管': [
    'Work-study: library assistant',
    'All posts are filled this time',
  ],
  大学生创新训练项目申报: ['Student innovation project', 'Waiting for another member to confirm'],
  关于学期末机房开放安排的传阅: [
    'Computer room hours at the end of term',
    'IT building B203 stays open until 22:30',
  ],
  课程助教工作须知: ['Notes for teaching assistants', 'For assistants in Data Structures'],
  调宿申请: ['Change of room', 'Not sent yet'],
  转专业意向登记: ['Change of major: register interest', 'Not sent yet'],
  基金申请书形式审查修改: [
    'Grant application: corrections',
    'Three points: unit, seal page, abstract length',
  ],
  开题答辩分组确认: ['Confirm thesis proposal group', 'Chair of group 2, six students'],
  '学生请假会签：谭子豪 3 天': [
    'Student leave: Tan Zihao, 3 days',
    'Competition; misses Machine Learning once',
  ],
  大创项目指导教师确认: [
    'Confirm you supervise a project',
    'Estimating and publishing canteen queues',
  ],
  '《数据结构》调课申请': ['Move a class of Data Structures', 'Approved: Teaching 1, room 105'],
  会议差旅报销: ['Conference travel expenses', '¥2,846.00 paid'],
  '设备采购申请：图形工作站': ['Purchase: graphics workstation', 'Waiting for the budget change'],
  '计科2401 奖学金推荐意见': [
    'CS 2401: scholarship recommendations',
    'Write recommendations for three students',
  ],
  '关于过程考核的若干说明（传阅）': [
    'On continuous assessment',
    'New core courses: final exam at most 50%',
  ],
  出国访问申请: ['Visit abroad', 'Not sent yet'],
  '用印申请：选课通知': [
    'Use of seal: course selection notice',
    'Waiting for the President’s Office',
  ],
  '缓考申请：苏日娜《生理学》': [
    'Deferred exam: Su Rina, Physiology',
    'Illness, with a doctor’s note',
  ],
  '课程容量调整：文学概论': [
    'Course capacity: Introduction to Literature',
    'From 60 to 90; the room is changed',
  ],
  期末考场安排复核: ['Check exam rooms', '412 rooms, 9 special rooms'],
  转专业名单公示审批: ['Approve the list of changed majors', 'No objections; 146 students'],
  教师补课申请批量审批: ['Make-up classes to approve', '6 requests'],
  '会议纪要传阅：处务会': ['Minutes of the office meeting', 'Three points on exams and timetables'],
  '差旅报销：教务信息化研讨班': ['Travel expenses: registry seminar', 'Not sent yet'],
  '变更审批：云盘存储扩容': [
    'Approve a change: drive expansion',
    'Tonight 23:00 to 6:00, with a rollback plan',
  ],
  '数据共享申请：宿舍系统读取学籍': [
    'Data sharing: dormitory reads student status',
    'Every day, as few fields as possible',
  ],
  '域名申请：kiln.jianglan.example': [
    'Domain: kiln.jianglan.example',
    'Exhibition website, six months',
  ],
  服务器采购验收: ['Accept new servers', '8 servers, all passed'],
  '账号恢复：校友 V260043': [
    'Restore an account: alumnus V260043',
    'New mobile number; identity verified',
  ],
  '等级保护测评整改单（传阅）': [
    'Security assessment: what to mend',
    'Four points within two weeks',
  ],
  短信通道续费: ['Renew the text message channel', 'Wrong budget; please send it again'],
  年度运维总结: ['Yearly operations report', 'Not sent yet'],
  学籍信息核对: ['Check your student record', 'Name, ID number and major'],
  实验室安全准入考试: ['Laboratory safety test', '90 to pass, two more tries'],
  报销单退回修改: ['Expense claim returned', 'One invoice is missing'],
  教学任务确认: ['Confirm your teaching', 'Please confirm next term’s courses'],
  年度考核个人总结: ['Your yearly report', 'Up to 1,000 words'],
  学生请假会签: ['Student leave to countersign', 'Please sign in time'],
}
export const taskSourcesEnglish: Record<string, string> = {
  学生处: 'Student Affairs Office',
  后勤处: 'Campus Services Office',
  研究生院: 'Graduate School',
  资产与实验室管理处: 'Assets and Laboratories Office',
  教务处: 'Registrar’s Office',
  计算机学院: 'School of Computer Science',
  科研院: 'Office of Research',
  财务处: 'Finance Office',
  国际合作处: 'International Office',
  校长办公室: 'President’s Office',
  信息化中心: 'IT Centre',
  人事处: 'Human Resources Office',
}
