// The payloads of the REST routes and the contracts between modules. Only the type checker reads this file.

export interface Money {
  amount_cents: number;
  currency: string;
}
export interface Unconverted extends Money {
  /** The direction of the amounts, where a payload has both. */
  type?: string;
  transactionCount?: number;
}
export interface Converted {
  unconverted?: Unconverted[];
}

export interface HistoryPoint extends Converted {
  date: string;
  total: Money;
  partial?: boolean;
  estimated?: boolean;
}
export interface HistorySeries {
  id?: string;
  type?: string;
  name?: string;
  opening?: HistoryPoint;
  points: HistoryPoint[];
}
export interface History extends Converted {
  dateFrom: string;
  dateTo: string;
  interval: string;
  completeFrom?: string;
  opening?: HistoryPoint;
  points: HistoryPoint[];
  series?: HistorySeries[];
  change?: { amount: Money; percent?: number };
}

export interface Account {
  id: string;
  name: string;
  type: string;
  subtype?: string;
  balance_cents?: number;
  currency: string;
  estimated?: boolean;
  balance_as_of?: string;
  has_holdings?: boolean;
}
export interface Item extends Converted {
  id: string;
  total: Money;
  currency: string;
  accounts: Account[];
  bank_name: string;
  needs_update: boolean;
  new_accounts_available: boolean;
}
export interface Holding {
  symbol?: string;
  name?: string;
  quantity: string;
  price?: string;
  value_cents?: number;
  currency: string;
  type?: string;
}
export interface Wallet extends Converted {
  id: string;
  name: string;
  network?: string;
  address_masked?: string;
  total: Money;
  holdings?: Holding[];
}
export interface PaperAccount {
  id: string;
  name: string;
  provider?: string;
  total: Money;
}
export interface Portfolio extends Converted {
  total: Money;
  items: Item[];
  wallets: Wallet[];
  paper_accounts: PaperAccount[];
  securitiesByItem: Record<string, Holding[]>;
}

/** A month with its days, where they are known. */
export interface Month {
  period: string;
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
}
export interface CashflowPeriod extends Converted {
  period: string;
  dateFrom: string;
  dateTo: string;
  incomeTotal: Money;
  expenseTotal: Money;
  net: Money;
}
export interface CategoryTotal extends Converted {
  category: string;
  total: Money;
  transactionCount?: number;
}
export interface Cashflow extends Converted {
  dateFrom?: string;
  dateTo?: string;
  incomeTotal: Money;
  expenseTotal: Money;
  net: Money;
  incomeCategories?: CategoryTotal[];
  periods?: CashflowPeriod[];
  excludedCategories?: string[];
}

export interface SpendingCategory extends CategoryTotal {
  group: string;
  percentOfTotal: number;
  transactionCount: number;
  refunds?: Money;
  periods?: { period: string; total: Money }[];
}
export interface Spending extends Converted {
  dateFrom?: string;
  dateTo?: string;
  totalExpense: Money;
  categories: SpendingCategory[];
  uncategorizedTotal: Money;
  comparison?: SpendingComparison;
  groups?: LabelSpending[];
  groupsOverlap?: Money;
  excludedCategories?: string[];
}
/** Spending of an own category or a tag; without an identifier that of all other transactions. */
export interface LabelSpending {
  id?: string;
  name?: string;
  total: Money;
  percentOfTotal: number;
  transactionCount: number;
}
export interface SpendingComparison extends Converted {
  dateFrom: string;
  dateTo: string;
  totalExpense: ComparedTotal;
  categories?: (ComparedTotal & { category: string })[];
}
export interface ComparedTotal {
  total: Money;
  change: Money;
  changePercent?: number;
}
export interface SpendingSummary extends Converted {
  dateFrom?: string;
  dateTo?: string;
  totalExpense: Money;
  totalRefunds?: Money;
  transactionCount: number;
  comparison?: SpendingComparison;
  periods: { period: string; dateFrom: string; dateTo: string; totalExpense: Money }[];
  excludedCategories?: string[];
}
export interface Merchant extends Converted {
  merchant: string;
  total: Money;
  percentOfTotal: number;
  transactionCount: number;
}
export interface Merchants extends Converted {
  dateFrom?: string;
  dateTo?: string;
  totalExpense: Money;
  merchants: Merchant[];
  excludedCategories?: string[];
}

export interface RecurringPayment {
  id: string;
  type: 'INCOME' | 'EXPENSE';
  merchant_name?: string;
  title?: string;
  category: string;
  cadence: string;
  status: string;
  amount_cents: number;
  currency: string;
  last_amount_cents?: number;
  amount_varies: boolean;
  last_date: string;
  next_expected_date?: string;
  previous_amount_cents?: number;
  amount_changed_on?: string;
  account_name?: string;
  occurrence_count: number;
  min_amount_cents?: number;
  max_amount_cents?: number;
}
export interface Recurring extends Converted {
  asOf: string;
  monthlyTotal: Money;
  monthlyIncome?: Money;
  totalCount?: number;
  recurringPayments: RecurringPayment[];
  occurrences?: { date: string; amount: Money; recurring_payment_id: string }[];
  occurrenceCount?: number;
  occurrencesTotal?: Money;
  occurrencesIncome?: Money;
  occurrencesUnconverted?: Unconverted[];
}

export interface Budget extends Converted {
  category: string;
  total: Money;
  currency: string;
  target?: Money;
  net?: Money;
  remaining?: Money;
  excluded?: boolean;
}
export interface Budgets {
  budgets: Budget[];
  month?: number;
  year?: number;
  excludedCategories?: string[];
}
export interface BudgetCategory {
  id?: string;
  category: string;
  target_amount_cents?: number;
  currency: string;
}

export interface Transaction {
  id: string;
  type: 'INCOME' | 'EXPENSE' | 'INTERNAL_TRANSFER';
  category: string;
  amount_cents: number;
  date: string;
  title: string;
  pending: boolean;
  currency: string;
  converted?: Money;
  merchant_name?: string;
  account_id?: string;
  account_name?: string;
  bank_name?: string;
  ownCategory?: { id: string; name: string };
  tags?: { id: string; name: string }[];
  note?: string;
}
export interface Cursor {
  date?: string;
  id?: string;
}
export interface Transactions {
  transactions: Transaction[];
  pagination: { hasMore: boolean; nextCursor?: Cursor };
}

export interface Bank {
  id: string;
  bank_name: string;
  status: string;
  needs_update: boolean;
  new_accounts_available: boolean;
  account_count: number;
  last_successful_update?: string;
  stale: boolean;
  stale_days?: number;
  consent_expires_at?: string;
  error_code?: string;
  reconciled_through?: string;
  balance_differences?: number;
}
export interface Banks {
  needsAttention: number;
  banks: Bank[];
}

export interface Preferences {
  preferredCurrency: string;
  timeZone?: string;
  today: string;
  excluded_categories: string[];
  month_start?: string;
}
export interface Me {
  id: string;
  email?: string;
}

export type Value = string | number | boolean | string[] | Cursor;
/** Parameters of a view, as the address of the page or a tool call has them. */
export type Parameters = Record<string, string>;
/** Days: a period by name, a rolling range, or days of the calendar. */
export type Range = { period: string } | { timeRange: string } | { dateFrom?: string; dateTo?: string };
/** One read: the path of the route below /v1/, and the name of the tool with the same payload. */
export interface DataRequest {
  path: string;
  tool?: string;
  parameters: Record<string, Value>;
  optional?: boolean;
}

export interface Actions {
  /** True if a read without a range has the initial range of its view; a tool call without one has all days. */
  hasInitialRange?: boolean;
  /** Shows the same view with other parameters. Absent if the host cannot run tools. */
  change?: (parameters: Parameters) => void;
  /** Returns the address of another view. Absent outside the dashboard. */
  address?: (view: string, parameters: Parameters) => string;
  /** Asks the assistant about what a name stands for, in the days of the parameters. Absent outside an assistant. */
  follow?: (parameters: Parameters, name: Node | string) => void;
  /** The number of rows of a list that is shown in part. */
  rows?: number;
  /** Runs a further read. Absent if the host cannot run tools. */
  load?: (request: DataRequest) => Promise<any>;
}

/** A part of a place in the page. */
export interface Part {
  name: string;
  /** Names the part while it is not there. */
  title: string;
  requests: Record<string, DataRequest>;
  /** Returns further reads, which depend on the first ones. */
  next?: (payloads: Record<string, any>) => Record<string, DataRequest>;
  /** Draws the payloads; nothing if there is nothing to say. An optional payload may be absent. */
  draw: (payloads: Record<string, any>) => Node | undefined;
  /** The height in pixels that is reserved for the part, on a narrow and on a wide screen. */
  height: [number, number];
  /** Read after the other parts. */
  later?: boolean;
}
/** A place in the page: a tab, or what explains one thing. */
export interface Place {
  name: string;
  /** The tab to which the place belongs. */
  tab?: string;
  title: (parameters: Parameters) => string;
  /** The days that the place shows without a selection; absent for a place without days. */
  range?: Range;
  parts: (parameters: Parameters, actions: Actions) => Part[];
}

export interface ViewDefinition {
  name: string;
  title: string;
  /** The reads of the view by name. The first is the payload of the view's tool. */
  requests: (parameters: Parameters) => Record<string, DataRequest>;
  /** Draws the payloads. An optional payload may be absent. */
  draw: (payloads: Record<string, any>, parameters: Parameters, actions: Actions) => HTMLElement;
}

/** A cell of a table: text, or text with a number's alignment. */
export interface Column<Row> {
  name: string;
  value: (row: Row) => string | Node;
  numeric?: boolean;
}

/** The values at one position of a chart. */
export interface Card {
  title: string;
  rows: CardRow[];
}
export interface CardRow {
  name: string;
  value: string;
  series?: string;
}

/** A drawn chart: the picture and how its positions are inspected. */
export interface Drawing {
  svg: SVGElement;
  count: number;
  card: (index: number) => Card;
  nearest: (x: number, y: number) => number;
  anchor: (index: number) => { x: number; y: number };
  mark: (index: number | undefined) => void;
}

export interface LinePoint {
  date: string;
  cents: number;
  /** The amount is incomplete; the line is dashed there. */
  partial: boolean;
  /** The amount says nothing; the line has a gap there. */
  missing?: boolean;
}
export interface LineOptions {
  title: string;
  /** The text alternative. */
  summary: string;
  currency: string;
  /** At least one, in the order of their days. */
  points: LinePoint[];
  card: (index: number) => Card;
  /** In pixels, of a narrow and of a wide picture without an axis of amounts. */
  heights?: [number, number];
  /** Cents of the same days of an earlier month, also of days that are still to come. */
  before?: number[];
  /** The number of days of the axis; days without a point are still to come. */
  days?: number;
}
export interface BarGroup {
  /** `YYYY-MM`. */
  period: string;
  /** Cents, one of each series. */
  amounts: number[];
  /** True if the amounts are those of a part of the month. */
  part?: boolean;
}
export interface BarOptions {
  title: string;
  /** The text alternative. */
  summary: string;
  currency: string;
  /** The names of the series in the style sheet. */
  series: string[];
  /** At least one. */
  groups: BarGroup[];
  /** True for bars on top of each other. */
  stacked?: boolean;
  /** Cents; a dashed line at this height. */
  limit?: number | undefined;
  card: (index: number) => Card;
  /** Follows a month. */
  select?: ((index: number) => void) | undefined;
}
export interface FlowNode {
  id: string;
  name: string;
  /** 0 is the leftmost. */
  column: number;
  cents: number;
  /** Its colour in the style sheet. */
  series: string;
  /** The code of a category that the node stands for. */
  category?: string;
  /** Segments of the node, which sum up to `cents`. */
  parts?: { name: string; cents: number }[];
}
export interface Figure {
  title: string;
  caption: string;
  picture: Node | false;
  /** Builds the figures of the picture as a table. */
  table?: () => Node;
  /** What stands below the table. */
  further?: Node | undefined;
  notes?: (Node | undefined)[];
  /** What stands between caption and picture. */
  lead?: (Node | undefined)[];
  /** What stands beside the heading. */
  control?: Node | undefined;
}
export interface FlowLink {
  source: string;
  target: string;
  cents: number;
}
