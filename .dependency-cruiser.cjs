// The arrows of the code. `npm run check` follows them; a change here is a decision and gets its reason in the same commit.

/** Which area may import from which other area, for each app. Everything not listed is refused. */
const edges = {
  server: {
    // which columns somebody writes for
    announcements: ['editing'],
    // settings; passwords, sessions and who somebody is; codes to contacts; contacts partly hidden
    // and where a password is kept that is not kept here
    account: ['directory', 'identity', 'passwordless', 'personal', 'second-factor'],
    // the institution's name, who signs in, which systems may ask, what members have agreed to, logins elsewhere
    'central-login': ['consent', 'federation', 'identity', 'registry'],
    // services of a theme
    aggregation: ['services'],
    // which outside login stands for the central one
    config: ['federation'],
    // which systems there are, and which of their sessions end when a member takes something back; who may use a service
    consent: ['registry', 'services'],
    // what is read in a directory becomes members as what is read in a file
    directory: ['identity'],
    // how it is judged, what is judged, and photos of it drawn again
    evaluation: ['images', 'services'],
    // the institution's zone; the pictures of a preview; feeds become articles as files do
    editing: ['news'],
    // where they go and the institution's zone; what a device says of itself
    // and whether a member wants it kept by name
    events: ['identity', 'privacy'],
    // what is made a favourite must be there for the member
    // and readable; pictures in the size that is shown; whether a member wants it kept what was read
    favourites: ['news', 'privacy', 'services'],
    // what operators have set; who signs in, and a proof of who they are; tokens of WeCom
    federation: ['identity', 'passwordless', 'wechat'],
    // home's first request answers for the whole screen
    home: ['messages', 'news', 'personal', 'schedule', 'services', 'tasks'],
    // what is asked of whom; who answers for a password; which second factor somebody has; who is told that a session has
    // ended; logins elsewhere
    identity: ['directory', 'federation', 'registry', 'second-factor'],
    // departments and audiences that operators name are checked alike
    letters: ['editing'],
    // the one badge counts messages and tasks
    messages: ['tasks'],
    // who signs in, and what operators have set; where a password is kept that is not kept here
    passwordless: ['directory', 'identity'],
    // the pages and the session of the central login, who may use it, what members agreed to
    openid: ['central-login', 'consent', 'identity', 'registry'],
    // who an account belongs to; how numbers and addresses are hidden
    operators: ['identity', 'personal'],
    // a new portrait is received, checked and drawn anew as files are
    personal: ['files'],
    // what the institution sets, that somebody has just confirmed who they are, portraits
    privacy: ['identity'],
    // how often hosts are probed; which services somebody may see
    health: ['services'],
    // whether sharing is on; what is shared, for whoever may see it
    share: ['news', 'services'],
    // and whether a member wants the use of them kept; how an address is opened, as operators set it; tokens for what is
    // registered, once it may be told of the member
    // registered, once it may be told of the member; whether they are out of service
    services: ['consent', 'health', 'privacy', 'registry'],
    // how a service sounds, is found and opened; the files it comes in
    'service-catalogue': ['services'],
    // who signs in and who has confirmed it; which identity types are asked for a second factor
    'second-factor': ['identity'],
    // what is pushed becomes members as what is read in a file
    scim: ['identity'],
    // who a session belongs to, how it was opened and is ended; what operators call a network
    sessions: ['identity'],
    // which addresses open inside the app: services and what operators have set
    webview: ['services'],
  },
  portal: {
    // the puzzle before a password; outside logins one has bound; passkeys; the way to where a password is kept
    account: ['federation', 'login', 'second-factor', 'webview'],
    // what is due after it, and the proof before: a password or a code
    federation: ['login', 'passwordless'],
    // One tab shows both, each in its half.
    messages: ['tasks'],
    // a sign-in asks for what is due, and offers passkeys
    login: ['second-factor'],
    // the frame of every way of signing in, its steps and its puzzle; the way to where a password is kept
    passwordless: ['login', 'webview'],
    // the star above a file
    files: ['favourites'],
    // an announcement that wants to be confirmed
    // sharing an article
    // the star above an article; that it was read
    // the files that hang on an article, each with its preview
    news: ['announcements', 'favourites', 'files', 'share'],
    // pictures and attachments are sent as any file
    workbench: ['files'],
    home: ['messages', 'news', 'scan', 'schedule', 'services', 'tasks'],
    // how many articles are new, beside the way to them
    personal: ['news'],
    // one of a few, side by side
    privacy: ['personal'],
    // the star beside each, and what members say of it
    // whether a service is out of service, and sharing one
    services: ['evaluation', 'favourites', 'health', 'share'],
    // services open from these lists as from the catalogue
    aggregation: ['services'],
    evaluation: ['services'],
    favourites: ['services'],
    rankings: ['services'],
    // a shared service is opened, and may be out of service
    share: ['health', 'services'],
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
