import '#domains/work/schedule/schedule.css'
import '#ui/list-row.css'
import { timeZones } from '@atrium/rules/time-zones'
import { useState } from 'react'
import { useChooseZone, useScheduleSettings } from '#domains/work/schedule/schedule-queries.ts'
import { useNow } from '#domains/work/schedule/use-now.ts'
import { formatTime } from '#lib/format.ts'
import { inLanguage } from '#lib/language.ts'
import { m } from '#paraglide/messages.js'
import { back } from '#shell/navigation/navigation.ts'
import { Page } from '#shell/page/page.tsx'
import { QueryView } from '#shell/page/query-view.tsx'
import { Empty } from '#ui/feedback/empty.tsx'
import { Skeleton } from '#ui/feedback/skeleton.tsx'
import { toast } from '#ui/feedback/toast.tsx'
import { SearchField } from '#ui/form/search-field.tsx'
import { RowList } from '#ui/list-row.tsx'
import { Icon } from '#ui/media/icon.tsx'

/** Chooses the time zone of the schedule. */
export default function TimeZonePage() {
  const settings = useScheduleSettings()
  const [words, setWords] = useState('')
  const now = useNow()
  const { mutate, isPending } = useChooseZone(() => {
    toast(m.schedule_zone_saved())
    back()
  })
  const choose = (timeZone: string) => {
    if (!isPending) mutate({ body: { timeZone } })
  }
  const found = timeZones.filter((zone) => matches(zone, words))
  return (
    <Page>
      <div className="column">
        <div className="zone-search">
          <SearchField label={m.schedule_zone_search()} value={words} onValue={setWords} />
        </div>
        <QueryView
          query={settings}
          skeleton={<Skeleton rows={8} height={50} label={m.shell_loading()} />}
        >
          {({ timeZone, institutionTimeZone }) => (
            <div className="stack">
              {words ? null : (
                <RowList values="beside">
                  <ZoneRow
                    name={m.schedule_zone_institution()}
                    time={formatTime(now, institutionTimeZone)}
                    chosen={timeZone === institutionTimeZone}
                    onChoose={() => choose('')}
                  />
                </RowList>
              )}
              {found.length === 0 ? (
                <Empty icon="globe" title={m.schedule_zone_none({ words })}>
                  {m.schedule_zone_none_text()}
                </Empty>
              ) : (
                <RowList label={m.schedule_zone_title()} values="beside">
                  {found.map(({ value, name, nameEn }) => (
                    <ZoneRow
                      key={value}
                      name={inLanguage(name, nameEn)}
                      time={formatTime(now, value)}
                      chosen={timeZone === value && timeZone !== institutionTimeZone}
                      onChoose={() => choose(value)}
                    />
                  ))}
                </RowList>
              )}
            </div>
          )}
        </QueryView>
      </div>
    </Page>
  )
}

type ZoneRowProps = { name: string; time: string; chosen: boolean; onChoose: () => void }

function ZoneRow({ name, time, chosen, onChoose }: ZoneRowProps) {
  return (
    <li>
      <button
        type="button"
        className="list-row zone-row"
        aria-current={chosen || undefined}
        onClick={onChoose}
      >
        <span className="list-row-words">
          <span className="list-row-text">{name}</span>
          <span className="list-row-value num">{time}</span>
        </span>
        {chosen ? <Icon name="check" label={m.schedule_zone_chosen()} /> : null}
      </button>
    </li>
  )
}

function matches(zone: { name: string; nameEn: string; value: string }, words: string) {
  const text = `${zone.name} ${zone.nameEn} ${zone.value}`.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
