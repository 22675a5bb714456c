/**
 * English texts of announcements and headlines, by English title. As at a real university, most articles of other
 * columns have none: the portal marks them and offers a translation.
 */
export const newsEnglish: Record<string, string> = {
  'Dormitory safety declaration to be signed online': `
All students in residence, please sign the dormitory safety declaration under “Tasks” by {+12e}.

Three things have changed since last year:

- small appliances of up to 300 W that **switch themselves off**, such as hot-water bottles and leg warmers, are allowed once their model is registered;
- batteries and power banks must not be charged in bed, and e-bikes and their batteries must not be brought indoors;
- rooms may sign up for mutual checks; a term without a finding counts towards the award for well-kept rooms.

Signing is counted by room; “Dormitory” shows how far yours is. It takes about three minutes. Questions: 8915.`,
  'Annual health check for staff and students': `
The annual health check takes place from {+4e} to {+25e} on the third floor of the new University Hospital. Your time is in your schedule; you may move it once under “Hospital appointments”.

## Before

- Eat nothing after ten the evening before; a little water is fine. Take your regular medicines and tell the doctor.
- Wear something with sleeves that roll up, and no metal jewellery.
- If you are or may be pregnant, say so: you skip the X-ray.

## Afterwards

Breakfast is free on the ground floor. Your report reaches the portal within seven working days, for your eyes only. Where something needs a second look, a doctor calls you. Questions: 8121.`,
  'Changes to the shuttle timetable': `
After three weeks of counting passengers and reading your suggestions, the shuttles between the campuses run to a new timetable from {+3we}.

| Direction | First | Last | Peak | Off-peak |
| Lanshan → Jiangbei | 6:50 | 22:40 | 10 min | 30 min |
| Jiangbei → Lanshan | 6:50 | 22:40 | 10 min | 30 min |

- Two more buses between 7:10 and 7:50 stop only at Teaching Building 1 and the Information Building.
- At weekends the first bus leaves at 7:20 instead of 8:00.
- The 22:40 bus is on trial for a month.
- Bus 4 is now a low-floor bus that wheelchairs can board.

“Shuttle” shows arrivals and free seats. Lost something? Call 8923.`,
  'Graduation photographs: dates and places': `
Photographs for degree certificates are taken from {+6e} to {+8e} in the Student Centre, ground floor, 8:30–11:30 and 13:30–17:00. Times for each school are attached; whoever misses theirs may come on the last afternoon.

Bring your identity card and wear a dark top with a collar. Glasses should not reflect. If you wear a head covering for religious or ethnic reasons, please tell us beforehand.

Students away on internship or exchange can have their picture taken elsewhere or upload one by {+40e}. Once submitted, it cannot be changed. Questions: 8507.`,
  'Parking and charging of e-bikes': `
The campus now has 420 more charging points and nineteen shelters for e-bikes.

1. Every e-bike needs a number plate from “E-bike registration”. It is free and ready the same day.
2. Please park inside the marked areas. Owners of bikes in stairways, halls or fire lanes are called first; after two hours the bike is moved to the nearest parking area. Nothing is locked and nothing charged, and a message says where it stands.
3. Bikes and batteries must not be charged indoors.
4. Charging costs 0.80 yuan per kWh, half of that from 23:00 to 6:00.

“Car parks” shows free charging points. Campus Security: 8110.`,
  'Call for objects and memories of the university’s history': `
For a new exhibition, the University Museum asks alumni, staff and their families for objects and stories.

We are looking for early student cards, badges, timetables and lecture notes; meal tickets and dormitory photographs; teachers’ manuscripts and marked homework; pictures and diaries of moves and floods.

Things that are “worth nothing” are often the most precious. A dormitory’s duty book of 1958 that came to us last year is what visitors look at longest.

Give, lend or let us copy: each gets a certificate. You may also simply tell us a story. Call 8719 or write to archives@jianglan.example, if possible by {+60e}.`,
  'Safety and duty arrangements over the holidays': `
1. Every unit has somebody on duty around the clock; rosters reach the President’s Office three days before the holidays.
2. Heads of laboratories check gas cylinders, heaters, fridges and poisons before leaving. Experiments during the holidays need two people present and an entry in the system.
3. Students who leave register where they go and when they return under “Leave”; counsellors keep in touch with those who stay.
4. Canteen 1, the emergency department and the study hall on the ground floor of the library’s East Wing stay open. Shuttles run to the weekend timetable.
5. Report emergencies at once to Campus Security (8110) and the duty office (8001).`,
  'University and city sign agreement on an innovation corridor': `
On {-0we} Jianglan University and the city signed an agreement on an innovation corridor on the north bank.

Over five years they will build four research platforms, for new materials, smart equipment, biomanufacturing and the water environment, and a pilot plant. The city provides land, buildings and three years of running costs; the university sends research teams and opens its large instruments.

Of the university’s 1,100 patents of the last five years, fewer than seven per cent became products, says Tan Wenbo of the Office of Research. Most stop where something works in a laboratory but not yet in a workshop, which is what the pilot plant is for. Seventy per cent of what is earned goes to the people who did the work.

Student internships on the corridor open next term, 140 to begin with.`,
  'Du Ruochuan elected fellow of an international statistics society': `
Du Ruochuan, professor at the School of Mathematics and Statistics, has been elected a fellow of an international statistics society. Its citation calls his work on missing data “clear, usable and tested”.

It began with an incomplete record: in the 1960s, floods kept three gauges on the Jianglan River silent for nineteen months. How to reason when data are not missing by chance has occupied him for nearly twenty years. His weighting method is used most in hospitals. “Patients who do not come back are often well again, or worse. Treat them as if they did not exist, and the answer is biased.”

Every term he teaches first-year probability, with three blackboards and no slides.`,
  'Fire drill: more than 4,000 evacuated in six minutes': `
At 10:12 on {-0we} a “fire” broke out on the second floor of Teaching Building 1. Six minutes and eight seconds later, 4,237 people from three teaching buildings and two dormitories were outside, a hundred seconds faster than last year.

Only the day had been announced, not the time or the place. The review afterwards found nine problems, among them 23 e-bikes in front of an emergency exit, a loudspeaker that was too quiet and meeting points that differ between map and signs. Five are to be mended by {+7e}, the others by {+30e}.`,
  'Budget report: spending on teaching grows for the fifth year': `
The accounts for {year-1} were published on {-0e}: income of 2.84 billion yuan, spending of 2.79 billion.

| Spending | Share | Change |
| Teaching | 41.6% | +1.9 points |
| Research | 27.3% | +0.4 points |
| Student aid | 9.8% | +0.6 points |
| Campus services | 12.1% | −0.9 points |
| Administration | 5.2% | −1.2 points |
| Other | 4.0% | −0.8 points |

More was spent on 62 seminar rooms, on laboratory equipment and on higher pay for teaching assistants; less on meetings and hospitality. Every table can be downloaded under “Open information”. Write to budget@jianglan.example by {+20e} with questions; the Finance Office answers within ten working days.`,
  'University Hospital moves and adds paediatrics and rehabilitation': `
From {+3we} the University Hospital sees patients in its new building east of the North Gate. The fever clinic stays where it is.

Paediatrics and rehabilitation are new, dentistry grows from two chairs to six, and outpatients are seen until 20:00. Results arrive in the portal.

- Please book under “Hospital appointments”; booked patients are seen at their time.
- Students show their campus card; referrals are settled on the first floor while you wait.
- Prescriptions for chronic illness now last up to twelve weeks.
- Expect queues in the first week, above all from 9:00 to 10:30.

Questions: 8120.`,
  'Twenty teachers honoured by four thousand students’ words': `
On {-1e} the university honoured twenty teachers in the concert hall. Papers and titles did not count: only what students wrote, and visits to lectures that nobody had announced.

Students sent in 4,037 texts. The commonest words were not “lively” or “fun” but “careful”, “waited” and “remembered”: “he waited until I had thought of it”, “she remembered what I had asked”.

Those honoured get something modest: one course less next term, to sit in on other people’s.`,
  'A green path now links the campus with the river': `
The green path between the Lanshan campus and the river opened on {-0we}. It runs for 2.3 km from the East Gate along the old canal and through Lanshan Park to the bridge, about 25 minutes on foot.

There are no steps, and no slope steeper than five per cent. The path bends around a camphor tree more than two hundred years old; 312 trees were kept.

Lights are on until 23:00. While frogs are breeding along the canal, 400 metres stay dark: please bring a torch. Motor vehicles and e-bikes are not allowed.`,
  'Cloud drive read-only during extension': `
While its storage is extended, the cloud drive is read-only from 23:00 on {+0we} until 6:00 the next morning. You can download and preview, but not upload, move or delete.

Documents that are being edited are saved and merged afterwards. Please hand in no coursework in these hours; teachers have been asked to extend deadlines.`,
  'Later lunch on the upper floor of Canteen 2': `
Counters 3 to 6 on the upper floor of Canteen 2 serve lunch until 13:30 and dinner until 19:30, with at least eight dishes.

It is fullest from 11:40 to 12:20: if you have time, come before or after. “Canteens” shows how full it is.`,
  'Results of the mid-term teaching review': `
The mid-term review is complete: more than 14,000 questionnaires from students and 620 self-assessments. Teachers have received their own results.

Schools talk about improvements for the 31 courses with most remarks. What students write stays anonymous; classes are not shown.`,
  'Registration for the national English tests': `
Register from 10:00 on {+2e} until 17:00 on {+9e}; there is no late registration. Listening is broadcast on 87.4 MHz: bring headphones and batteries.

Candidates with disabilities may ask for large print, more time or a room of their own when they register. The Registrar’s Office replies within five days.`,
  'Late applications for financial aid': `
If something happened in your family after the deadline, you may apply for financial aid at any time of the year.

What counts is what you write and the documents you add; nobody has to speak in public. Those who decide sign a promise of confidentiality.`,
  'South Gate: changed ways during works': `
The road at the South Gate is closed for twenty days from {+2e}. Vehicles use the East and North Gates; pedestrians take the temporary path on the west side.

Please leave ten minutes earlier in the morning. Deliveries stop outside the East Gate.`,
  'Fourth-floor stacks are moving': `
From {+4e} to {+11e} the foreign-language stacks on the fourth floor of the Main Library move to the third floor of the East Wing. Meanwhile you can order books online and collect them at the desk the next day.

Shelves will then be numbered from left to right; librarians help at the entrances for three days.`,
  'Influenza vaccination': `
Until {+30e} the University Hospital vaccinates against influenza: at half price for students, free for staff over 65.

Please wait if you have a fever or are acutely ill, and do not come if you are severely allergic to egg. Stay thirty minutes afterwards, and bring a book.`,
  'Laboratory safety self-inspection': `
All laboratories complete the checklist by {+10e}. It is about fixed gas cylinders, labelled fridges, sorted waste and equipment that runs unattended at night.

What you report yourself costs nothing; only what inspectors find and you left out counts.`,
  'Thesis proposals: dates': `
Proposals are presented in weeks 13 to 15, each before at least three experts, one of them from outside the group.

Not passing is no failure: you may present again after three months. Submit under “Thesis”, with one page on how you manage your data.`,
  'Cleaning of air conditioners in Orchid Court': `
Filters in Orchid Court are cleaned floor by floor from {+3e} to {+13e}. Two people with badges come together; somebody has to be in the room.

If the day does not suit you, choose an evening or a weekend under “Dormitory”. It costs nothing.`,
  'Exchange places for next term': `
There are 54 exchange places at 23 universities next term, all without tuition fees there, twelve with a grant.

Selection looks at your study plan and an interview; no language score excludes anybody. Students with financial aid may also apply for travel costs.`,
  'Tuition fees and receipts': `
If this year’s fees are not fully paid, please pay by {+20e} under “Tuition fees”. If you have applied for a student loan, just wait until it is paid out.

Receipts are made automatically and can be downloaded under “Electronic receipts”. They count as much as paper ones.`,
  'The old VPN client is being retired': `
The old VPN client stops working on {+25e}; please install the new one. You sign in to it by scanning a code with the portal.

If you only use databases and the course system, you need no client: open them in the portal.`,
  'New check-in rules for activities': `
From next week you check in to activities with your identity code at the place itself; signatures for others and screenshots no longer count. Two absences with notice do no harm.

If you cannot use a phone, sign at the door; organisers enter it the same day.`,
  'Open posts: full-time counsellors': `
The university is looking for eight full-time counsellors with a master’s degree or higher, who stay on campus at most two nights a week.

The written test is about cases, not memory. The interview includes a real conversation with students, whose marks count for thirty per cent.`,
  'Employment contracts and registration': `
Three-party contracts are now signed online: employer, university and student confirm under “Careers”, in two days on average.

Where your household registration and file go can be changed once before graduation. Please talk it over with your family first.`,
  'Longer weekend hours in the sports halls': `
Sports hall and swimming pool stay open until 22:00 at weekends. Badminton courts can be booked for an hour a day; students go first in the evening.

A court is released after ten minutes. Who does not come three times in a month cannot book for a week.`,
  'Archive requests by appointment': `
Student records such as enrolment, marks and admission lists can be requested online; during working hours you get a stamped electronic copy within two hours.

Personnel files and minutes are still read at the archive. Please book a day ahead.`,
  'Wanted: peer listeners': `
We are looking for thirty peer listeners who, after 24 hours of training, are there for others two hours a week. They accompany and refer; they do not diagnose.

Listeners have somebody to talk to as well, and may stop at any time without a reason.`,
  'Lift works in Teaching Building 3': `
A lift is added at the east end of Teaching Building 3. From {+5e} work goes on from 21:00 to 6:00, so that days stay quiet.

Courses above the third floor with students who cannot climb stairs have been moved to the ground floor. You need not apply.`,
  'Using the university’s name and crest': `
For websites, posters and souvenirs, please download the crest as a vector file from the Publicity Office, and do not stretch, outline or recolour it.

Student societies may use the words “Society of Jianglan University” and their own mark, free of charge, once registered.`,
  'Annual internal audit': `
This year four units and 26 research projects are audited. They were drawn by lot, with witnesses from the staff congress.

The audit is there to help: what is put right at once is not reported. Please have three years of accounts and contracts ready.`,
  'Volunteers for the alumni day': `
The alumni day needs 120 volunteers as guides, and to post postcards for others. It counts as volunteering.

We are especially glad of people who speak dialects, mend old cameras, and like to walk slowly with older alumni.`,
}
