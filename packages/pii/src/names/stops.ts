import { hashOfPlain } from './known-words.ts';

/** Reasons why a word is not part of a name. */
export const stop = {
  place: 1,
  never: 2,
  organisation: 4,
  title: 8,
  greeting: 16,
  /** After a common first name it is a last name, otherwise a street or a park: "Alice Park", "Victoria Park". */
  eitherWay: 32,
  /** Makes the next word part of a place: "San Francisco". */
  prefix: 64,
} as const;

/** Towns, regions and products that are also first or last names. Alone they are not a name. */
const places = `paris austin madison geneva dayton salem kingston trenton dover reno laredo irving bronx jackson lincoln florence victoria georgia jordan chelsea sydney berlin lyon houston denver dallas orlando
charlotte savannah carolina dakota virginia china india asia israel kenya cuba chad ireland holland troy brooklyn camden phoenix aspen vienna milan
milano roma rome verona valencia santiago salvador cordoba lourdes bethlehem nice adelaide perth darwin hamilton alberta windsor
preston chester lancaster carlisle devon essex cork london york boston cleveland memphis tucson raleigh durham
montana nevada indiana arizona texas tennessee oxford cambridge lima quito havana melbourne brisbane canberra wellington auckland dublin belfast
cardiff reading bath bristol hull warwick derby bremen essen halle hagen ulm trier porto faro braga evora utrecht breda bari como pisa torino turin
genoa malaga vitoria toledo navarra dubai doha amman cairo tripoli kyoto osaka lagos accra nairobi abuja europa africa america france germany spain
italy portugal romania jersey guernsey odessa washington everest rainier hood thames severn
claude gemini alexa siri cortana watson tesla mercedes lexus bentley oracle jenkins hudson travis maven ruby perl django jade karma ember jekyll amber crystal elm kafka pandora athena apollo artemis hermes zeus mars venus mercury jupiter saturn mistral llama copilot
bradford kent vigo siena winston-salem kelvin galileo rosetta juno argo zelda
cassandra aurora atlas zephyr gerrit pino chai deno lua vite noto dev helios orion vega luna hera grok bard nova titan phi falcon vicuna alpaca bert april may june augusta mai juni juli summer autumn sterling sunny`;

const eitherWay = `park hall hill hills lane house bay west east north south fields woods banks rivers lake street way court
brooks pond marsh green garden rose heath moor moore wells stone`;

const prefixes = `hurricane storm typhoon cyclone planet hms uss camp chateau schloss casa operation codename crepe poire tarte salade sauce san santa santo sao saint sankt sint st fort lake mount mt den port los las new cape bad el puerto villa monte ciudad north south east west upper
lower great`;

const never = `monday tuesday wednesday thursday friday saturday sunday january february march july september october november december
montag dienstag mittwoch donnerstag freitag samstag sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miercoles jueves viernes
lunedi martedi mercoledi giovedi venerdi sabato domenica maandag dinsdag woensdag donderdag vrijdag zaterdag zondag
januar februar marz oktober dezember janvier fevrier avril juin juillet aout septembre octobre novembre decembre enero febrero marzo mayo junio julio
septiembre octubre noviembre diciembre gennaio febbraio maggio giugno luglio settembre ottobre dicembre janeiro fevereiro maio junho julho setembro
outubro novembro dezembro
christmas easter halloween noel navidad natale natal weihnachten
english german french spanish italian portuguese dutch american british european chinese japanese deutsch deutsche francais espanol
customer client sir madam team all everyone everybody friends folks guests colleagues support service there world user admin
kunde kundin kunden damen herren zusammen equipe equipo squadra todos tutti allemaal client cliente klant
my our their his her your this that these those what when where why how who which if
i'm i'd i've i'll it's that's what's here's there's let's who's he's she's we're you're they're don't can't won't name's how's where's
api http https url json xml html css sql pdf csv utf ascii uuid null true false none error warning info debug warn trace get post put patch delete
yes no ok okay please note subject date re fwd sent
buon buona mille grazie muito obrigado obrigada feliz tarde tardes noite noites noche noches joyeux joyeuse bonne bonnes frohe gelukkig fijne hartelijk
goede morgen dank merci gracias gutes happy merry good new burj
university universitat universite universidad universita institute college school
mein meine der das ein eine und oder nicht ich sie wir ihr es ist ja nein bitte
le les un une des et ou je vous nous il elle oui non votre notre
el los una unos y o yo usted nosotros si su nuestro la lo
gli uno e io lei noi voi suo nostro per con
o os as um uma eu voce nos sim nao seu nossa
de het een en of ik u wij ja nee uw
am im um zum zur vom beim an auf aus bei mit nach seit von zu vor
au aux du en dans sur avec pour par chez selon quel quelle quels
al del por para sobre segun cual que quien
alla dal dalla nel nella sul sulla quale chi
ao da do dos na no pelo pela qual quem
op in uit bij met naar sinds voor wat wie kan kun
feb apr aug sep sept oct nov dec tue wed thu fri okt dez dic
dieser diese dieses diesem diesen jeder jede jedes jedem jeden solche solcher solches solchen welche welcher welches alle alles aller ihre ihrer ihrem ihren ihres
sein seine seiner seinem seinen meine meiner meinem meinen unser unsere unserer unserem unseren eure eurer dein deine deiner kein keine keiner einer eines einem einen
dem den des wenn wird werden wurde wurden sind waren kann konnen muss mussen soll sollen sollte darf mochte mochten haben hatte hatten wie wo hier dort nur noch auch aber denn
dann damit durch ohne gegen unter uber wahrend falls ob dass weil bevor nachdem als also einige mehrere viele manche zwei drei vier funf sechs sieben acht neun zehn
solange sobald sonst sowie daher deshalb bereits siehe ist war
ce cet cette ces si mais donc car tout tous toute toutes comme quand lorsque puis ensuite alors ainsi aussi avant apres pendant depuis sans sous entre vers voir deux trois
quatre cinq utilisez cliquez notez voici voila leur leurs mes tes ses nos vos etre avoir sont etait
este esta estos estas ese esos esas aquel aquella pero porque cuando donde como mas muy todo todos toda todas tambien antes despues durante desde hasta hay dos tres
cuatro cinco toma suelen fueron sus nuestra nuestros nuestras cada otro otra otros otras
questo questa questi queste quello quella quelli quelle perche dove piu molto tutto tutta tutte anche prima dopo fino senza tra fra sono due tre quattro cinque ogni altro
altra altri altre nostra nostri nostre
estes isto esses essa essas mas quando onde mais muito tambem depois ate sem sao dois duas quatro cada outro outra outros outras nossos nossas
deze dit als maar want wanneer waar hoe meer veel ook tijdens zonder tussen zijn waren twee drie onder elke ieder onze jullie hun
stdin stdout stderr todo fixme etc`;

/** After a word that looks like a name, these show that the whole is a firm, a street, a building or a thing. */
const organisations = `inc ltd llc llp plc corp corporation company co gmbh ag kg se sa sas sarl srl spa bv nv oy ab lda ltda
bridge castle church forest gardens springs falls towers line gpu cpu belt comet vineyard international intl gmbh
avenue ave road rd ln drive boulevard blvd square plaza terrace place crescent close parkway pkwy highway hwy trail row
strasse platz allee gasse gracht straat plein laan weg
hotel hospital clinic airport station museum library cathedral palace tower theatre theater stadium arena center
centre mall market bank group partners holdings industries systems labs laboratories solutions technologies tech software studio
studios media press records motors foods freight lines logistics insurance airlines airways electronics analytics audio consulting capital ventures
associates brothers sons traders works university college school institute academy foundation society association council committee ministry
department county city town village island islands river valley mountain mountains beach creek heights
award prize cup league championship tournament festival marathon act law theorem principle effect test method syndrome disease
desk chair sofa lamp shirt dress jacket shoes phone tablet laptop pro max mini plus ultra edition series version collection
investments enterprises orchestra band republic kingdom states union bureau agency inn resort gallery channel times
post journal magazine weekly daily show awards pass extensions novel song theory review report service services group boys girls
klinikum klinik krankenhaus bahnhof flughafen schule verein stiftung rathaus hopital gare ecole societe banque caisse clinica estacion escuela banco
ospedale stazione scuola banca escola estacao ziekenhuis gemeente stichting gesellschaft verlag versicherung
plan project team office store shop restaurant cafe bar pub kitchen building tower apartments`;

const titles = `mr mrs ms miss mx dr prof professor doctor rev reverend sir dame captain capt sergeant sgt officer agent detective judge senator nurse
rep gov sen hon lt col gen maj cpl councilwoman councilman mayor ambassador pastor rabbi bishop atty familie
aunt auntie uncle grandma grandpa sister brother coach president minister
herr herrn frau fraulein monsieur madame mademoiselle mme mlle maitre
sr sra srta don dona senor senora senorita
sig signor signora signorina sigra dott dottssa dottore dottoressa ing avv
senhor senhora dra doutor doutora
dhr mevr mw mevrouw meneer heer juffrouw drs ir mej`;

const greetings = `dear hi hello hey thanks thank cheers hiya welcome sorry congratulations congrats
liebe lieber hallo geehrte geehrter guten servus moin
cher chere bonjour bonsoir salut coucou
estimado estimada querido querida hola buenos buenas
gentile ciao salve egregio egregia caro cara buongiorno buonasera
prezado prezada ola oi bom boa
geachte beste dag goedemorgen goedemiddag hoi`;

const stops = new Map<number, number>();
for (const [bit, words] of [
  [stop.place, places],
  [stop.never, never],
  [stop.organisation, organisations],
  [stop.title, titles],
  [stop.greeting, greetings],
  [stop.eitherWay, eitherWay],
  [stop.prefix, prefixes],
] as const)
  for (const word of words.split(/\s+/)) stops.set(hashOfPlain(word), (stops.get(hashOfPlain(word)) ?? 0) | bit);

/** The bits of `stop` for the word with this hash. */
export const stopsOf = (hash: number): number => stops.get(hash) ?? 0;
