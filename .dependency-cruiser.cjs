// The arrows of the code. `npm run check` follows them; a change here is a decision and gets its reason in the same commit.

const { edges } = require('./scripts/area-edges.ts')

const tests = '\\.test\\.tsx?$|^apps/server/test/'

/** One rule for an app: an area imports itself and the areas listed for it. */
const areaRules = (app) => {
  const listed = Object.entries(edges[app]).map(([from, to]) => ({
    name: `${app}-areas`,
    comment: `An area imports another one only along the edges listed in scripts/area-edges.ts.`,
    severity: 'error',
    from: { path: `^apps/${app}/src/domains/[^/]+/${from}/`, pathNot: tests },
    to: {
      path: `^apps/${app}/src/domains/`,
      pathNot: `^apps/${app}/src/domains/[^/]+/(${[from, ...to].join('|')})/`,
    },
  }))
  const others = {
    name: `${app}-areas`,
    comment: `An area imports another one only along the edges listed in scripts/area-edges.ts.`,
    severity: 'error',
    from: {
      path: `^apps/${app}/src/domains/[^/]+/([^/]+)/`,
      pathNot: [tests, `^apps/${app}/src/domains/[^/]+/(${Object.keys(edges[app]).join('|')})/`],
    },
    to: { path: `^apps/${app}/src/domains/`, pathNot: `^apps/${app}/src/domains/[^/]+/$1/` },
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
      '^apps/server/(src/domains/|demo/|src/[^/]+$)',
      'The platform knows no area.',
    ),
    never(
      'server-areas-below',
      '^apps/server/src/domains/',
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
      '^apps/portal/src/(domains/|shell/|[^/]+$)',
      'Components know neither server nor area.',
    ),
    never(
      'portal-ui-calls-nobody',
      '^apps/portal/src/ui/',
      '^packages/contract/|^apps/portal/src/lib/(api|queries|early-answers|renewal|event-call|send-file|send-picture|download)[.]ts$',
      'A component is given what it shows; screens ask the server.',
    ),
    never(
      'portal-shell-below',
      '^apps/portal/src/shell/',
      '^apps/portal/src/(domains/|[^/]+$)',
      'The shell knows no area and no screen.',
    ),
    never(
      'portal-areas-below',
      '^apps/portal/src/domains/',
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
