import './action-sheet.css'
import { Icon, type IconName } from '../media/icon.tsx'
import { Sheet } from './dialog.tsx'

export type SheetAction = {
  icon: IconName
  label: string
  onSelect: () => void
  /** The action deletes or removes something. */
  danger?: boolean
}

type ActionSheetProps = {
  open: boolean
  onClose: () => void
  /** What the actions apply to. */
  title: string
  actions: readonly SheetAction[]
}

/** A sheet of actions for one item. */
export const ActionSheet = ({ open, onClose, title, actions }: ActionSheetProps) => (
  <Sheet open={open} onClose={onClose} title={title}>
    <ul className="action-list">
      {actions.map(({ icon, label, onSelect, danger }) => (
        <li key={label}>
          <button
            type="button"
            className={danger ? 'action-row action-row-danger' : 'action-row'}
            onClick={() => {
              onClose()
              onSelect()
            }}
          >
            <Icon name={icon} />
            {label}
          </button>
        </li>
      ))}
    </ul>
  </Sheet>
)
