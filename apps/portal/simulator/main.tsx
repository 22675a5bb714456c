import '#ui/tokens.css'
import '#ui/base.css'
import '../src/shell/page/page.css'
import { createRoot } from 'react-dom/client'
import { applyPreferences } from '#shell/preferences.ts'
import { Simulator } from './simulator.tsx'

applyPreferences()
const root = document.getElementById('root')
if (!root) throw new Error('index.html has no #root')
createRoot(root).render(<Simulator />)
