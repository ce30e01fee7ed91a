/** @import { Texts } from './text.js' */

import { BRAZILIAN } from './text_pt_br.js';

/** The texts in the Portuguese of Portugal, as differences from those in the Portuguese of Brazil. @type {Texts} */
export const PORTUGUESE = {
  ...BRAZILIAN,
  loading: 'A carregar…',
  followUp: ([name, days]) => `Mostra os meus movimentos de “${name}”, ${days}.`,
  amount: 'Montante',
  transactions: 'Movimentos',
  share: 'Percentagem',
  values: (title) => `Valores do gráfico: ${title}. Utilize as teclas de seta.`,

  unconvertedTypes: { INCOME: 'receitas', EXPENSE: 'despesas' },
  unconvertedDays: ([from, to, currencies], isGap) => {
    const when = from === to ? `A ${from}` : `Em alguns dias entre ${from} e ${to}`;
    const line = isGap ? 'A linha tem aí uma interrupção.' : 'A linha tracejada não inclui estes saldos.';
    return `${when}, a taxa de câmbio de ${currencies} não é conhecida. ${line}`;
  },
  transactionCount: (count) => (count === 1 ? '1 movimento' : `${count} movimentos`),
  excluded: (names) => `Categorias excluídas de acordo com as suas definições: ${names}.`,
  partial: (date) =>
    `Antes de ${date} falta o histórico de algumas contas. A linha tracejada fica abaixo ou acima do real pelo valor dos respetivos saldos.`,
  estimated: 'A linha tracejada é uma estimativa, porque aí podem faltar movimentos.',
  partialAll:
    'Falta o histórico de algumas contas. A linha tracejada fica abaixo ou acima do real pelo valor dos respetivos saldos.',

  netWorth: 'Património líquido',
  netWorthCaption: (period) => `Tudo o que tem menos tudo o que deve, ${period}.`,
  accountTypes: {
    ...BRAZILIAN.accountTypes,
    depository: 'Depósitos',
    loan: 'Créditos',
  },
  portfolioCaption: 'Últimos saldos comunicados por cada banco, na moeda de cada conta.',
  portfolioEmpty: 'Ainda não há contas. Aparecem aqui depois da primeira atualização de um banco ou de uma importação.',
  paperNote: 'Dinheiro simulado, que não faz parte do património líquido.',
  price: 'Cotação',
  needsUpdate: 'requer atualização',

  cashflow: 'Receitas e despesas',
  expense: 'Despesas',
  net: 'Saldo',
  cashflowCaption: (period) =>
    `Receitas e despesas por mês, ${period}. As transferências entre as suas contas não contam.`,
  cashflowSummary: ([period, income, expense, net]) =>
    `Gráfico de barras das receitas e despesas por mês, ${period}: receitas ${income}, despesas ${expense}, saldo ${net}.`,
  cashflowEmpty: 'Não houve receitas nem despesas neste período.',
  spendingCaption: (period) => `Despesas por categoria, ${period}. As transferências entre as suas contas não contam.`,
  spendingSummary: ([period, total, largest, amount]) =>
    `Barras das despesas por categoria, ${period}: ${total} no total, sobretudo em ${largest}, com ${amount}.`,
  spendingEmpty: 'Não houve despesas neste período.',
  partMonths: (months) => `O período contém apenas uma parte dos meses com barras mais claras: ${months}.`,
  byMonth: 'Despesas por mês',
  byMonthSummary: ([total, from, to]) =>
    `Barras empilhadas das despesas por mês e grupo, de ${from} a ${to}: ${total} no total.`,
  overlap: (amount) =>
    `Os movimentos com várias etiquetas contam em cada uma, pelo que a lista soma mais ${amount} do que o total.`,
  against: (days) => `face a ${days}`,
  flow: 'Das receitas às despesas',
  flowCaption: 'À esquerda as receitas, ao centro os grupos de despesas, à direita as categorias.',
  flowSummary: ([income, expense, rest]) => `Diagrama de fluxo: receitas ${income} e despesas ${expense}; ${rest}.`,
  leftOver: 'Excedente',
  fromSavings: 'Das poupanças',
  merchants: 'Principais comerciantes',
  merchantsCaption: (period) => `Os comerciantes com os totais mais elevados, ${period}.`,
  merchantsEmpty: 'Não houve pagamentos a comerciantes conhecidos neste período.',
  recurringCaption: 'Pagamentos previstos por data, identificados a partir dos seus pagamentos anteriores.',
  recurringEmpty:
    'Não foram encontrados pagamentos recorrentes. Aparecem aqui quando um pagamento se repete algumas vezes.',
  monthlyTotal: 'Despesas previstas por mês',
  priceUp: (before) => `subiu, antes ${before}`,
  priceDown: (before) => `desceu, antes ${before}`,
  moreRecurring: ([shown, all]) => `São mostrados ${shown} de ${all} pagamentos recorrentes.`,
  cadences: {
    ...BRAZILIAN.cadences,
    WEEKLY: 'todas as semanas',
    BIWEEKLY: 'de duas em duas semanas',
    MONTHLY: 'todos os meses',
    QUARTERLY: 'de três em três meses',
    SEMI_ANNUALLY: 'de seis em seis meses',
    ANNUALLY: 'todos os anos',
  },
  budgetsCaption: (month) => `Despesas de ${month} e orçamento de cada categoria.`,
  budgetsEmpty: 'Não há orçamentos definidos nem despesas neste mês.',
  incomeTargetsCaption: 'O objetivo definido para cada categoria de receitas.',
  target: 'Objetivo',

  search: 'Pesquisar',
  searchHint: 'Comerciante ou descritivo',
  allTypes: 'Receitas e despesas',
  showTransfers: 'Incluir transferências internas',
  pendingFilter: 'Estado',
  pendingAll: 'Pendentes e contabilizados',
  pendingOnly: 'Só pendentes',
  bookedOnly: 'Só contabilizados',
  sorts: {
    date_desc: 'Mais recentes primeiro',
    date_asc: 'Mais antigos primeiro',
    amount_desc: 'Maiores primeiro',
    amount_asc: 'Menores primeiro',
  },
  amountRule: 'Introduza um montante como 12,50.',
  transactionsCaption: 'Montantes na moeda da conta; por baixo, convertidos ao câmbio do dia.',
  transactionsEmpty: 'Nenhum movimento corresponde a estes filtros.',
  transactionsNone: 'Ainda não há movimentos. Aparecem aqui depois de uma importação.',
  shown: ([count, more]) =>
    `${count === 1 ? '1 movimento mostrado' : `${count} movimentos mostrados`}${more ? '' : ', não há mais'}.`,

  banks: 'Ligações bancárias',
  banksEmpty: 'Não há bancos ligados. Os ficheiros importados não precisam de ligação.',
  bankStatus: {
    CONNECTED: 'Ligado',
    NEEDS_UPDATE: 'É necessária nova autenticação no banco',
    ERROR: 'A última atualização falhou',
    DISCONNECTED: 'Desligado',
    MANUAL: 'Atualizado manualmente',
  },
  staleFor: (days) => (days === 1 ? 'sem atualização há 1 dia' : `sem atualização há ${days} dias`),
  consentExpired: (date) => `o consentimento expirou a ${date}`,
  consentExpires: (date) => `o consentimento expira a ${date}`,

  spendingTab: 'Despesas',
  attentionCount: (count) => (count === 1 ? '1 assunto requer atenção' : `${count} assuntos requerem atenção`),
  soFar: 'Despesas deste mês',
  monthSoFar: (month) => `${month.charAt(0).toUpperCase()}${month.slice(1)} até hoje`,
  paceSummary: ([month, spent, before, all]) =>
    `Linhas das despesas acumuladas dia a dia: ${month} ${spent}, ${before} inteiro ${all}.`,
  nextEmpty: 'Não está previsto nenhum pagamento recorrente nestes dias.',
  nextWeeksCaption: 'Pagamentos previstos por dia e o que foi pago esta semana.',
  latest: 'Últimos movimentos',
  netWorthShort: ([period, last]) => `Linha do património líquido, ${period}, agora ${last}.`,
  lastYear: 'Os últimos doze meses e o mês em curso.',

  signIn: 'Iniciar sessão',
  signInProvider: 'Continuar com a sua conta',
  signInText: 'Património líquido, despesas e orçamentos num só lugar. O Passbook só consulta e não pode alterar nada.',
  tokenHint: 'Começa por pbk_. Crie um nas suas definições ou com passbook-admin.',
  tokenSubmit: 'Utilizar este token',
  signOut: 'Terminar sessão',
  signedOut: 'Sessão terminada.',
  sessionEnded: 'A sua sessão terminou. Inicie sessão novamente.',
  codeRefused: 'Este link já foi utilizado ou expirou. Introduza um token ou utilize um novo link.',
  signInErrors: {
    state: 'O início de sessão começou noutro separador ou demorou demasiado. Tente novamente.',
    denied: 'O início de sessão foi cancelado.',
    provider: 'O fornecedor de identidade não concluiu o início de sessão. Tente novamente.',
    token: 'O fornecedor de identidade devolveu um token que não é aceite aqui.',
    'token-too-large': 'O token do fornecedor de identidade é demasiado grande para uma sessão.',
    unavailable: 'Não é possível contactar o fornecedor de identidade. Tente novamente mais tarde.',
  },
  errorTitle: 'Não foi possível carregar estes valores',
  offline: 'Não é possível contactar o servidor.',
  requestId: (id) => `Pedido ${id}`,
  skip: 'Saltar para o conteúdo',
  navigation: 'Secções',
  cancelled: 'O pedido foi cancelado.',
  toolFailed: 'A ferramenta devolveu um erro.',
  errors: {
    ...BRAZILIAN.errors,
    INVALID_REQUEST: 'Estes dados não são válidos. Verifique o período, os montantes e os filtros.',
    UNAUTHORIZED: 'A sua sessão terminou.',
    NOT_FOUND: 'Este elemento não foi encontrado.',
    RATE_LIMITED: 'Demasiados pedidos. Tente novamente dentro de momentos.',
    UNAVAILABLE: 'O servidor não consegue responder agora. Tente novamente dentro de momentos.',
    TIMEOUT: 'A resposta demorou demasiado. Tente novamente.',
  },

  // biome-ignore format: several names share a line
  expenses: {
    ...BRAZILIAN.expenses,
    BANK_FEES: 'Comissões bancárias', CAR_PAYMENT: 'Prestação do carro', CAR_RENTAL: 'Aluguer de carro',
    CASH_WITHDRAWAL: 'Levantamento', CHILDCARE: 'Creche e amas', CLOTHING: 'Vestuário', CONCERT: 'Concertos',
    CREDIT_CARD_PAYMENT: 'Pagamento do cartão de crédito', DONATION: 'Donativos', ELECTRONICS: 'Eletrónica',
    ENERGY: 'Eletricidade e gás', FAST_FOOD: 'Comida rápida', FITNESS: 'Ginásio', FLIGHTS: 'Voos',
    GAMBLING: 'Jogo e apostas', GIFTS_GIVEN: 'Presentes oferecidos', GOVERNMENT: 'Administração pública',
    GENERAL_STORE: 'Comércio geral', HOBBY: 'Passatempos', LOAN_PAYMENT: 'Prestação do crédito', LODGING: 'Alojamento',
    MARKETPLACE: 'Lojas online', MORTGAGE: 'Crédito habitação', PHONE: 'Telemóvel e telefone', LAUNDRY: 'Lavandaria',
    PUBLIC_TRANSPORT: 'Transportes públicos', RENT: 'Renda', SPORTS: 'Desporto', STUDENT_LOAN: 'Crédito para estudos',
    SUBSCRIPTIONS: 'Subscrições', TOLLS: 'Portagens', TRANSPORT: 'Transportes', VIDEO_GAMES: 'Videojogos',
    UTILITIES: 'Água, luz e comunicações', FOOD_AND_DRINK: 'Comida e bebidas', TRANSFER_OUT: 'Transferência emitida',
  },
  // biome-ignore format: several names share a line
  incomes: {
    ...BRAZILIAN.incomes,
    BENEFITS: 'Prestações sociais', FREELANCE: 'Trabalho independente', PENSION: 'Reforma',
    RENTAL_INCOME: 'Rendas recebidas', SALARY: 'Ordenado',
  },
  // biome-ignore format: several names share a line
  names: {
    ...BRAZILIAN.names,
    HOUSING: 'Habitação', MOVEMENT: 'Movimentos de dinheiro', checking: 'Conta à ordem', savings: 'Conta poupança',
    brokerage: 'Conta de títulos', mortgage: 'Crédito habitação', loan: 'Crédito',
  },
};
