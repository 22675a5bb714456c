/** The student's uploads. */
export const uploadedFiles = [
  {
    name: '社团经费明细.csv',
    mediaType: 'text/csv',
    content:
      '日期,项目,金额,经手人\n2026-09-08,迎新海报印刷,260.00,林知夏\n2026-09-15,讲座茶歇,418.50,周以宁\n2026-10-11,秋游租车,1200.00,林知夏\n2026-11-03,摄影展布展,356.20,陈沐阳\n',
  },
  {
    name: '请假说明.txt',
    mediaType: 'text/plain',
    content:
      '周老师：\n\n本人因参加全国大学生数学建模竞赛颁奖活动，需于下周四、周五离校，申请请假两天。\n离校期间的课程已与任课老师沟通，返校后补交作业。\n\n林知夏\n',
  },
]
