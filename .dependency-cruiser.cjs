// The arrows of the code. `npm run check` follows them; a change here is a decision and gets its reason in the same commit.

/** Which area may import from which other area, for each app. Everything not listed is refused. */
const edges = {
  server: {
    // settings; passwords, sessions and who somebody is; codes to contacts; contacts partly hidden
    account: ['config', 'identity', 'passwordless', 'personal', 'second-factor'],
    // where they go and the institution's zone; what a device says of itself
    // and whether a member wants it kept by name
    events: ['config', 'identity', 'privacy'],
    // home's first request answers for the whole screen
    home: ['config', 'images', 'messages', 'news', 'personal', 'schedule', 'services', 'tasks'],
    // the institution's name on the sign-in page; which second factor somebody has
    identity: ['config', 'second-factor'],
    // which server has the tiles
    map: ['config'],
    // the institution's zone: when a theme is valid
    launch: ['config'],
    // the one badge counts messages and tasks
    messages: ['tasks'],
    // the hosts that operators listed
    images: ['config'],
    // pictures in the size that is shown
    news: ['images'],
    // who signs in, and what operators have set
    passwordless: ['config', 'identity'],
    // who an account belongs to; how numbers and addresses are hidden
    operators: ['identity', 'personal'],
    personal: ['images'],
    // what the institution sets, that somebody has just confirmed who they are, portraits
    privacy: ['config', 'identity', 'images'],
    // and whether a member wants the use of them kept
    services: ['images', 'privacy'],
    // who signs in and who has confirmed it; which identity types are asked for a second factor
    'second-factor': ['config', 'identity'],
    // the institution's zone
    schedule: ['config'],
    // who a session belongs to, how it was opened and is ended; what operators call a network
    sessions: ['config', 'identity'],
    // which addresses open inside the app: services and what operators have set
    webview: ['config', 'services'],
  },
  portal: {
    // the puzzle before a password; passkeys
    account: ['login', 'second-factor'],
    // One tab shows both, each in its half.
    messages: ['tasks'],
    // a sign-in asks for what is due, and offers passkeys
    login: ['second-factor'],
    // the frame of every way of signing in, its steps and its puzzle
    passwordless: ['login'],
    home: ['messages', 'news', 'scan', 'schedule', 'services', 'tasks'],
    // one of a few, side by side
    privacy: ['personal'],
  },
}

const tests = '\\.test\\.tsx?$|^apps/server/test/'

/** One rule for an app: an area imports itself and the areas listed for it. */
const areaRules = (app) => {
  const listed = Object.entries(edges[app]).map(([from, to]) => ({
    name: `${app}-areas`,
    comment: `An area imports another one only along the edges listed in .dependency-cruiser.cjs.`,
    severity: 'error',
    from: { path: `^apps/${app}/src/areas/${from}/`, pathNot: tests },
    to: {
      path: `^apps/${app}/src/areas/`,
      pathNot: `^apps/${app}/src/areas/(${[from, ...to].join('|')})/`,
    },
  }))
  const others = {
    name: `${app}-areas`,
    comment: `An area imports another one only along the edges listed in .dependency-cruiser.cjs.`,
    severity: 'error',
    from: {
      path: `^apps/${app}/src/areas/([^/]+)/`,
      pathNot: [tests, `^apps/${app}/src/areas/(${Object.keys(edges[app]).join('|')})/`],
    },
    to: { path: `^apps/${app}/src/areas/`, pathNot: `^apps/${app}/src/areas/$1/` },
  }
  return [...listed, others]
}

/** Refuses imports from `from` to `to`, tests aside: a test may look at everything. */
const never = (name, from, to, comment) => ({
  name,
  comment,
  severity: 'error',
  from: { path: from, pathNot: tests },
  to: { path: to },
})

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment:
        'Two files that need each other are one file, or a third one is missing. Types may point back.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'resolvable',
      comment: 'The import leads nowhere.',
      severity: 'error',
      from: {},
      // A package's file by its address is Vite's business.
      to: { couldNotResolve: true, pathNot: '^[^.].*[?]url$' },
    },
    {
      name: 'apps-apart',
      comment: 'Apps speak over the wire; what they share is a package.',
      severity: 'error',
      from: { path: '^apps/([^/]+)/' },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    never('packages-below', '^packages/', '^(apps|e2e|bench|scripts)/', 'Packages know no app.'),
    never(
      'packages-pure',
      '^packages/',
      'node_modules/(react|fastify|kysely|pg)/',
      'Packages run on the phone and on the server.',
    ),
    never(
      'server-platform-below',
      '^apps/server/src/platform/',
      '^apps/server/(src/areas/|demo/|src/[^/]+$)',
      'The platform knows no area.',
    ),
    never(
      'server-areas-below',
      '^apps/server/src/areas/',
      '^apps/server/(demo/|src/[^/]+$)',
      'Areas know neither the app that holds them nor the demo.',
    ),
    never(
      'server-demo-apart',
      '^apps/server/src/[^/]+/',
      '^apps/server/demo/',
      'Only the start and the command line fill the demo.',
    ),
    never(
      'portal-lib-below',
      '^apps/portal/src/lib/',
      '^apps/portal/src/(?!lib/|paraglide/)',
      'lib is the bottom: it imports nothing of the portal.',
    ),
    never(
      'portal-ui-below',
      '^apps/portal/src/ui/',
      '^apps/portal/src/(areas/|shell/|[^/]+$)',
      'Components know neither server nor area.',
    ),
    never(
      'portal-shell-below',
      '^apps/portal/src/shell/',
      '^apps/portal/src/(areas/|[^/]+$)',
      'The shell knows no area and no screen.',
    ),
    never(
      'portal-areas-below',
      '^apps/portal/src/areas/',
      '^apps/portal/src/[^/]+$',
      'Areas do not import the map that lists them.',
    ),
    ...areaRules('server'),
    ...areaRules('portal'),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['/dist/', '/node_modules/\\.', '^e2e/results/'] },
    tsPreCompilationDeps: true,
    parser: 'swc',
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'module', 'browser', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.cjs', '.json', '.css'],
    },
  },
}
