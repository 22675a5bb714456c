/** English title and text of messages to the named members, by Chinese title. Dates as in `writeDates`. */
export const messagesEnglish: Record<string, [title: string, text: string]> = {
  '《计算机网络》周四调至教三 305': [
    'Computer Networks on Thursday moves to Teaching 3, room 305',
    'The projector in Teaching 2, room 304 is being repaired. Periods 1 and 2 on {thu+1ew} are in Teaching 3, room 305; other weeks stay as they are.',
  ],
  '下学期选课预选明日 10:00 开放': [
    'Course pre-selection for next term opens tomorrow at 10:00',
    'Places are drawn after pre-selection ends, so early and late choices have the same chance. Please evaluate this term’s courses first.',
  ],
  '班会时间、地点有变': [
    'Class meeting: new time and place',
    'The meeting of class CS 2401 moves to {+4ew} 20:20, IT building A205: assessment results and internship plans.',
  ],
  关于组织学科竞赛报名的通知: [
    'Register for academic competitions',
    'Programming, mathematical modelling and information security: register in teams of three by {+6e} under “Competitions and innovation”.',
  ],
  开题指导名单已公布: [
    'Your thesis supervisor is set',
    'Your supervisor is Zhou Mingyuan. Please have the first talk and confirm its record by {+7e}.',
  ],
  实验室开放时间调整: [
    'Laboratory hours change',
    'IT building B203 is open until 22:30 on Tuesdays and Thursdays from this week. Book ahead for weekends.',
  ],
  '你借阅的《算法导论》将于 3 天后到期': [
    '“Introduction to Algorithms” is due in 3 days',
    'Nobody waits for it. You can renew it once, until {+33e}.',
  ],
  '消费 12.50 元，余额 128.40 元': [
    'Paid ¥12.50, balance ¥128.40',
    'Canteen 1, floor 2, counter 7: ¥12.50. The balance is ¥128.40.',
  ],
  新设备登录提醒: [
    'Sign-in on a new device',
    'Your account was signed in on an iPhone in Jianglan at 21:17. If that was not you, change your password now.',
  ],
  '你的报修已完成，请评价': [
    'Your repair is done. How was it?',
    'Lanyuan 5, room 412, air conditioning: filter replaced and coolant refilled by Mr Zhong.',
  ],
  '奖学金材料被退回，请补充': [
    'Scholarship documents returned',
    'The transcript lacks its electronic seal. Please upload it again in your to-dos by {+2e} 18:00.',
  ],
  '充值到账 100.00 元': [
    '¥100.00 added to your card',
    '¥100.00 paid by phone. The balance is ¥156.90.',
  ],
  '《操作系统》实验二成绩已发布': [
    'Operating Systems: marks for lab 2',
    'Your mark is 92. “Scheduling is very clear; watch the edge cases.”',
  ],
  校园网认证页面已更新: [
    'The campus network has a new sign-in page',
    'If you are no longer signed in by itself, forget the network and join JLU-Student again.',
  ],
  口腔科复诊提醒: [
    'Dental check-up',
    'Your check-up is on {+7ew} 17:10, University Hospital, second floor. Please come ten minutes early.',
  ],
  '《宿舍安全承诺书》待签署': [
    'Dormitory safety agreement to sign',
    'Please sign it online by {+11e}. It takes about three minutes.',
  ],
  维修员已接单: [
    'A repairer is on the way',
    'Mr Zhong comes today between 14:00 and 16:00. Please keep your phone at hand.',
  ],
  报修已受理: [
    'Repair request received',
    'No. R-40217, air conditioning. Somebody comes within two days.',
  ],
  预约图书已到馆: [
    'Your reserved book is here',
    '“Designing Data-Intensive Applications” waits at the main desk until {+3e}.',
  ],
  期中教学检查学生问卷: [
    'Mid-term questionnaire on teaching',
    'It is anonymous, takes five minutes, and only the teacher of the course sees the result.',
  ],
  校运动会报名结果: [
    'Sports meeting: you are registered',
    'Women’s 800 m and 4 × 400 m relay are confirmed. Collect your number on Wednesday, IT building A102.',
  ],
  综合素质测评结果确认: [
    'Confirm your yearly assessment',
    'Your total is 88.6, fourth in the class. Please check it; ask for a re-check by {+4e}.',
  ],
  '消费 4.00 元，余额 69.40 元': [
    'Paid ¥4.00, balance ¥69.40',
    'Canteen 1, floor 1, breakfast: ¥4.00. The balance is ¥69.40.',
  ],
  手机号变更成功: [
    'Your mobile number was changed',
    'The number ending in 0001 now signs you in and resets your password.',
  ],
  奖学金申请初审通过: [
    'Scholarship application: first review passed',
    'The school approved your application for the first-class scholarship. The university reviews it now.',
  ],
  '《编译原理》周五停课一次': [
    'Compilers: no class on Friday',
    'Periods 1 and 2 on {fri+0ew} are cancelled and made up on {wed+1ew}, period 5, in the same room.',
  ],
  体检报告已出: [
    'Your health check report is ready',
    'All values are normal; more time outdoors is advised. Only you can see the report.',
  ],
  座位违约提醒: [
    'Missed seat booking',
    'You did not check in at East building 3-118 today. That is once this month; after three times booking pauses for a week.',
  ],
  学费缴纳成功: [
    'Tuition received',
    'Tuition and dormitory fee of ¥6,600.00 for this year have arrived. The receipt is under “E-receipts”.',
  ],
  请假已批准: [
    'Leave approved',
    'One day of personal leave, approved by your tutor Han Hui. Please report back on time.',
  ],
  销假成功: ['You are back from leave', 'Your return was recorded at 19:02.'],
  '邮箱容量已用 82%': [
    'Your mailbox is 82% full',
    'Please clear large attachments or keep them in the campus drive.',
  ],
  '“与院长面对面”报名成功': [
    '“Meet the dean”: you are registered',
    '{+3ew} 16:00, IT building A210. Please bring one question.',
  ],
  大学英语六级成绩可查: [
    'CET-6 results are out',
    'The written results are under “Grades”, language tests.',
  ],
  捡到校园卡请放心: [
    'Your campus card was found',
    'Canteen 2 has it. Please collect it at the service desk.',
  ],
  图书馆东楼试开放: [
    'The east library opens on trial',
    'The ground floor reading area is open all day. Enter with your identity code; no booking needed.',
  ],
  '反诈提醒：付费内推': [
    'Beware of paid referrals',
    'Whoever asks for money before an internship is a fraud. Call campus security, 8110.',
  ],
  助教岗位录用通知: [
    'You are a teaching assistant',
    'You assist in Data Structures, six hours a week. Please sign the agreement.',
  ],
  '重要：教材领取': [
    'Important: collect your textbooks',
    'Textbooks are at counter 2 of the textbook centre. Bring your campus card.',
  ],
  勤工助学酬金已发放: [
    'Your work-study pay has been sent',
    '¥480.00 for last month went to the bank card ending in 3306.',
  ],
  疫苗接种预约成功: [
    'Vaccination booked',
    '{+2ew} 14:30, preventive care. Please stay thirty minutes afterwards.',
  ],
  密码已修改: ['Your password was changed', 'If that was not you, call 8585.'],
  '《机器学习导论》选课名单更新': [
    'Introduction to Machine Learning: new class list',
    'Two students were added. Classes CS 2401 and 2402 have 41 students together; the list is in the teaching platform.',
  ],
  基金申请书形式审查意见: [
    'Grant application: formal review',
    'Three points: a wrong unit in the budget, a missing seal page, an abstract 12 characters too long. Please correct them by {+4e} 17:00.',
  ],
  教学例会材料已上传: [
    'Papers for the teaching meeting',
    '{fri+1ew} 15:20, IT building A210. Please read the one-page course template first.',
  ],
  报销单已到账: [
    'Your expenses have been paid',
    '¥2,846.00 for conference travel went to the bank card ending in 7719.',
  ],
  调课申请已批准: [
    'Your class move is approved',
    'Data Structures on {thu+1ew}, periods 5 and 6, is in Teaching 1, room 105. Students have been told.',
  ],
  计算集群排队提醒: [
    'Your cluster job has finished',
    'Job gpu-28841 took 6 h 42 min. The results are in /scratch/zhou.',
  ],
  仪器机时账单: [
    'Bill for instrument time',
    '38.5 hours on the graphics workstation last month, ¥770.00. Please confirm.',
  ],
  研究生开题答辩分组: [
    'Thesis proposals: your group',
    'You chair group 2 with six students: {+6ew} 8:30, IT building A301.',
  ],
  学业预警谈话提醒: [
    'Please talk to a student',
    'One undergraduate you advise has missed many classes this term. Please get in touch this week.',
  ],
  '消费 18.00 元，余额 412.60 元': [
    'Paid ¥18.00, balance ¥412.60',
    'Staff canteen: ¥18.00. The balance is ¥412.60.',
  ],
  异地登录提醒: [
    'Sign-in from another city',
    'Your account was signed in on an iPad in Linxi. Ignore this if you are travelling.',
  ],
  期中教学检查反馈: [
    'Mid-term feedback on your teaching',
    'Students gave 4.8. Most said: please explain the labs a little more slowly. The texts are attached.',
  ],
  专利受理通知: [
    'Patent application received',
    '“A screening method with a reject option” has been received. The number is in the research system.',
  ],
  酬金申报被退回: [
    'Payment request returned',
    'Row 3 lacks the ID number of the outside expert. Please add it and send it again.',
  ],
  酬金申报审核通过: ['Payment request approved', 'The money should arrive on the 25th.'],
  导师信息更新: [
    'Check your supervisor profile',
    'Please check what the graduate prospectus says of you by {+5e}.',
  ],
  年度体检安排: [
    'Your yearly health check',
    '{+6ew} 8:00–9:00, University Hospital, third floor. Please come without breakfast.',
  ],
  '报修已完成，请评价': [
    'The repair is done. How was it?',
    'IT building B405: the loose network socket was replaced.',
  ],
  视频会议录制已生成: [
    'Your meeting recording is ready',
    '“Group meeting”, 1 h 22 min, kept for 180 days.',
  ],
  监考安排征求意见: [
    'Invigilation: any conflicts?',
    'You are to invigilate two exams. Please report conflicts by {+3e}.',
  ],
  '“最美课堂”推荐语': [
    'What students wrote about your class',
    '37 recommendations are waiting at the teaching centre.',
  ],
  横向项目到账: [
    'Project funds received',
    'The second payment of Jianglan Second Hospital, ¥180,000.00, has arrived.',
  ],
  文献传递已完成: [
    'Your papers were delivered',
    'The two conference papers you asked for are in your mail.',
  ],
  '自动圈存 200.00 元': ['¥200.00 added automatically', 'The balance was below ¥100.'],
  已启用登录二次验证: ['Two-step sign-in is on', 'New devices are confirmed on your phone.'],
  学院新楼实验室分配公示: [
    'Laboratories in the new building',
    'IT building B405–B408 go to intelligent systems. The plan is public for five days.',
  ],
  本科生导师双选结果: [
    'Your undergraduate advisees',
    'Six students chose you; the list is updated.',
  ],
  经费预算调整批准: ['Budget change approved', '¥20,000 move from equipment to testing.'],
  课程大纲审核通过: [
    'Syllabus approved',
    'The new syllabus of Introduction to Machine Learning is published.',
  ],
  成果登记提醒: [
    'Is this paper yours?',
    'One paper that may be yours is not registered. Please claim it.',
  ],
  教师节慰问品领取: ['Teachers’ Day gifts', 'Collected by union groups, IT building A102.'],
  颈椎评估预约成功: ['Neck assessment booked', 'Rehabilitation clinic, {+3ew} 16:30.'],
  正版软件许可续期: [
    'Software licence renewed',
    'The scientific computing licence runs for another year. Please restart the software.',
  ],
  预选开放前检查单: [
    'Checklist before pre-selection',
    '2,318 course capacities checked; four wait for their schools: Computing 2, Languages 1, Arts 1.',
  ],
  教务系统数据库已切换: [
    'The registry database was switched',
    'Course selection runs on the high-availability node. It took 11 seconds; no data was lost.',
  ],
  考务组会议纪要: [
    'Minutes of the exams group',
    '412 rooms, 38 inspectors, 9 special rooms. Please check the attachment.',
  ],
  教室借用系统将升级: [
    'Room booking will be upgraded',
    'It stops from {+1e} 10:20. Counters keep paper forms ready.',
  ],
  差旅报销已到账: ['Travel expenses paid', '¥1,362.00 went to the bank card ending in 5520.'],
  缓考申请待汇总: [
    'Deferred exams to sum up',
    '17 new requests this week, 12 of them for illness.',
  ],
  '消费 15.00 元，余额 233.50 元': ['Paid ¥15.00, balance ¥233.50', 'Staff canteen: ¥15.00.'],
  数据共享申请已批准: [
    'Data sharing approved',
    'Changes of student status go to the dormitory system every day.',
  ],
  处务会议题征集: [
    'Items for the office meeting',
    'Please send them by the end of {+2e}, ten minutes each at most.',
  ],
  弱密码提醒: [
    'An old password',
    'You have not changed your password for over 300 days. Please do.',
  ],
  教改项目结题提醒: [
    'Teaching project ends soon',
    '“A model for early warnings” is due in three months.',
  ],
  打印机故障已处理: ['Printer repaired', 'Teaching 1, room 105: the toner cartridge was replaced.'],
  四六级报名缴费统计: ['CET registrations', '6,421 registered, 6,390 paid, 31 outstanding.'],
  窗口服务评价周报: [
    'Counter service this week',
    '98.2% satisfied. One wish: somebody at the counter at noon.',
  ],
  办公经费余额提醒: [
    'Office budget',
    '12.4% of this year is left. See the notice on closing the year.',
  ],
  学生集体访谈记录: [
    'Notes of a group interview',
    'What twenty new students say about timetables is summed up for the scheduling team.',
  ],
  电子签章证书即将到期: [
    'The seal certificate expires soon',
    'The certificate that seals transcripts runs out in 28 days. Please renew it.',
  ],
  补考成绩录入完成: ['Resit marks are complete', '862 of 862 entered.'],
  图书即将到期: ['A book is due soon', '“Nonviolent Communication” is due in 3 days.'],
  新同事到岗: ['A new colleague', 'Shan Xiaoxue joins the exams group today, desk 112-3.'],
  '充值到账 200.00 元': ['¥200.00 added to your card', 'The balance is ¥318.00.'],
  转专业名单公示结束: ['Changes of major are final', 'No objections; 146 students.'],
  演练通知: ['Fire drill', 'The fire drill takes place on some day this week.'],
  工资已发放: [
    'Your salary has been paid',
    'This month’s salary has been paid. Details are under “Salary”.',
  ],
  移动门户新版上线: [
    'New version of the portal',
    'Deferring an exam takes one step instead of four.',
  ],
  论文录用祝贺: [
    'Your paper is accepted',
    'The forum on registry systems accepted it. Please prepare a ten-minute talk.',
  ],
  流感疫苗接种: ['Flu vaccination', 'Done. Please stay for thirty minutes.'],
  值班表已更新: ['Duty roster updated', 'You are on duty on {+9ew}, phone 8103.'],
  教材征订完成: ['Textbook orders complete', '1,904 titles ordered for next term.'],
  空调清洗预约: [
    'Air conditioning to be cleaned',
    'The filters in Teaching 1, room 105 are cleaned on {+2e}.',
  ],
  云盘扩容变更已批准: [
    'Drive expansion approved',
    'Change C-1187: tonight 23:00 to 6:00, rollback until 3:30. On duty: Zhao Qihang, Fu Zhiping.',
  ],
  夜间备份全部成功: [
    'All nightly backups succeeded',
    '42 databases, 3.6 TB in 2 h 51 min; two were restored as a sample.',
  ],
  统一认证异常登录拦截: [
    'Unusual sign-ins were stopped',
    '23 failed attempts from one address on five accounts, none successful.',
  ],
  信息员例会通知: [
    'Meeting of IT contacts',
    '{+4ew} 14:30, IT building A204: accessibility self-check of websites.',
  ],
  '工单升级：兰苑3栋无线掉线': [
    'Escalated: Wi-Fi drops in Lanyuan 3',
    'Two access points on floor 4 restart again and again. Replacement is arranged.',
  ],
  选课压力测试报告: [
    'Load test of course selection',
    'Peak 3,800 requests a second, 46 ms on average.',
  ],
  采购合同付款完成: ['Purchase paid', 'The first payment of the storage expansion is made.'],
  证书续期提醒: ['Certificate to renew', '*.jianglan.example runs out in 30 days.'],
  '消费 16.50 元，余额 87.20 元': ['Paid ¥16.50, balance ¥87.20', 'Staff canteen: ¥16.50.'],
  漏洞修复完成: ['Vulnerabilities fixed', 'Three servers are patched and restarted.'],
  服务台周报: [
    'Service desk this week',
    '214 tickets, first answer after 7 minutes on average, 97.6% satisfied.',
  ],
  数据治理小组会议: ['Data governance meeting', 'One code for each organisation: approved.'],
  机房空调巡检: ['Server room cooling', 'Filters of unit 2 replaced; 22.4 °C.'],
  校园网流量突增: ['Traffic surge', '38 Gbps in the evening peak; expanded automatically.'],
  高性能计算机时统计: ['HPC use', '84% used last month; most by Physics, Materials and Computing.'],
  钓鱼邮件演练结果: ['Phishing drill', '4.1% clicked, 2.8 points fewer than last time.'],
  成绩单签章接口上线: ['Transcript seals are live', '1,204 issued so far.'],
  核心交换机升级完成: ['Core switch upgraded', '38 seconds of outage in Teaching 2 and 3.'],
  学生开发组结项: [
    'Student developers finish',
    'Four students made the portal accessible. Please issue their certificates.',
  ],
  容量预警: ['Storage warning', 'The mail system has used 81%.'],
  部门预算初稿: ['Draft budget', 'Please check the item on operations.'],
  等级保护测评安排: ['Security assessment', 'The assessors come next Tuesday.'],
  身份码服务恢复: [
    'Identity codes work again',
    'Nine minutes of outage by a wrong gateway setting; the review is attached.',
  ],
  '自动圈存 100.00 元': ['¥100.00 added automatically', 'The balance was below ¥50.'],
  教室借用系统需求确认: ['Room booking: requirements', 'Twelve items, planned for two weeks.'],
  '新版 VPN 客户端发布': [
    'New VPN client',
    'Sign in by scanning. The old client will stop working.',
  ],
  校园网认证页面将更新: [
    'The campus network gets a new sign-in page',
    'It has English and large print. Your password stays the same.',
  ],
  '“还书不罚款”活动开始': [
    'Return books without a fine',
    'Overdue books can be returned free of charge during the campaign.',
  ],
  '云盘今晚扩容，期间只读': [
    'The drive is read-only tonight',
    'From 23:00 to 6:00 the drive can only be read. Please save in time.',
  ],
  年终结账时间提醒: ['Closing the year', 'Expense claims of this year are taken until {+30e}.'],
  年度健康体检开始: [
    'Yearly health checks begin',
    'The time of your unit is in your schedule. You can change it once.',
  ],
}
