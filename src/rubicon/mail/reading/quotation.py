"""Gives each line its role: the sender's own words, quotation, signature, forwarded message."""

from __future__ import annotations

import re
from collections.abc import Sequence

from rubicon.mail.reading.incoming_mail import LineRole, MailLine
from rubicon.orders.parse.places import MEANINGS

# How mail programs introduce quoted mail, in many languages, and what they add to a text.

# The word before the colon of `On Monday Tom wrote:`. The line also has a date, an address, or
# one of the openings below.
_WROTE = (
    "wrote", "writes", "has written", "schrieb", "schreibt", "geschrieben",
    "a écrit", "a ecrit", "écrit", "escribió", "escribio", "va escriure", "ha scritto", "scrisse",
    "escreveu", "schreef", "het volgende geschreven", "skrev", "kirjoitti", "pisze", "napisał",
    "napisała", "napisał(a)", "napisal", "napsal", "napsala", "napsal(a)", "napísal", "napísal(a)",
    "píše", "ezt írta", "írta", "a scris", "пишет", "написал", "написала", "написал(а)", "написав",
    "пише", "написа", "yazdı", "şunu yazdı", "έγραψε", "כתב", "כתבה", "كتب", "كتبت",
    "写道", "寫道", "书写", "書きました", "のメール", "작성", "님이 작성", "đã viết",
    "viết", "เขียน", "เขียนว่า", "menulis", "je napisao", "je napisala", "rašė", "rakstīja",
    "kirjutas", "skrifaði", "scríobh", "je pisal", "napisao", "idatzi zuen", "escribiu", "shkroi",
    "लिखा", "نوشت", "napisala", "написао", "написала је", "تمت كتابة ما يلي", "missatge de",
    "hau idatzi du", "je napisao/la", "је написао/ла", "telah menulis", "sumulat si",
    "schrieben sie", "вы писали", "vous écriviez", "の書いた事", "さんは書きました",
)  # fmt: skip
_OPENINGS = (
    "on ", "am ", "le ", "el ", "il ", "em ", "op ", "den ", "dne ", "w dniu ", "dnia ", "pe ",
    "în ", "a las ", "vào ", "pada ", "в ", "στις ", "dňa ", "dana ", "na ", "al ", "í ", "lör ",
    "mån ", "tis ", "ons ", "tors ", "fre ", "sön ", "man. ", "tir. ", "ons. ", "tor. ", "fre. ",
    "lør. ", "søn. ", "ma ", "ti ", "ke ", "la ", "su ", "dnia ", "tarihinde ", "בתאריך ", "في ",
)  # fmt: skip
_SEPARATORS = (
    "original message", "original-nachricht", "ursprüngliche nachricht", "originalnachricht",
    "message d'origine", "message original", "message d’origine", "mensaje original",
    "messaggio originale", "mensagem original", "oorspronkelijk bericht", "originele bericht",
    "original meddelande", "ursprungligt meddelande", "originalmeddelande", "oprindelig meddelelse",
    "original besked", "opprinnelig melding", "alkuperäinen viesti", "oryginalna wiadomość",
    "wiadomość oryginalna", "původní zpráva", "pôvodná správa", "eredeti üzenet", "mesaj original",
    "mesajul original", "исходное сообщение", "оригинальное сообщение", "оригінальне повідомлення",
    "orijinal mesaj", "özgün ileti", "αρχικό μήνυμα", "הודעה מקורית", "الرسالة الأصلية", "原始邮件",
    "原始郵件", "元のメッセージ", "원본 메시지", "original e-mail", "reply message", "antwort",
    "thư gốc", "tin nhắn gốc", "pesan asli", "izvorna poruka", "missatge original",
    "původní e-mail", "원본 이메일", "回复的原邮件", "оригинално съобщение", "izvirno sporočilo",
)  # fmt: skip
_FORWARDS = (
    "forwarded message", "begin forwarded message", "weitergeleitete nachricht",
    "anfang der weitergeleiteten nachricht", "message transféré", "message transmis",
    "début du message réexpédié", "début du message transféré", "mensaje reenviado",
    "inicio del mensaje reenviado", "messaggio inoltrato", "inizio messaggio inoltrato",
    "mensagem encaminhada", "início da mensagem reencaminhada", "doorgestuurd bericht",
    "begin doorgestuurd bericht", "vidarebefordrat meddelande", "vidarebefordrat mejl",
    "videresendt meddelelse", "videresendt melding", "välitetty viesti", "przekazana wiadomość",
    "wiadomość przekazana", "přeposlaná zpráva", "továbbított üzenet", "пересылаемое сообщение",
    "начало переадресованного сообщения", "iletilen mesaj", "转发的邮件", "轉寄郵件",
    "転送メッセージ",    "전달된 메시지",
)  # fmt: skip
_FROM = (
    "from", "von", "de", "da", "van", "från", "fra", "lähettäjä", "od", "feladó", "expeditor",
    "от", "від", "kimden", "gönderen", "από", "מאת", "من", "发件人", "寄件者", "差出人", "送信者",
    "보낸 사람", "expéditeur", "mittente", "remitente", "remetente", "absender", "afzender", "từ",
    "dari", "nadawca", "odesílatel", "saatja", "no", "de la", "šalje", "발신", "보낸사람", "จาก",
)  # fmt: skip
_OTHER_FIELDS = (
    "sent", "date", "to", "cc", "subject", "reply-to", "gesendet", "datum", "an", "kopie",
    "betreff", "envoyé", "envoyé le", "à", "objet", "enviado", "enviado el", "enviada em", "fecha",
    "para", "data", "asunto", "assunto", "inviato", "a", "oggetto", "verzonden", "aan", "onderwerp",
    "skickat", "till", "ämne", "sendt", "til", "emne", "lähetetty", "päivämäärä", "vastaanottaja",
    "aihe", "wysłano", "do", "temat", "odesláno", "komu", "předmět", "elküldve", "címzett", "tárgy",
    "trimis", "către", "subiect", "отправлено", "дата", "кому", "тема", "надіслано", "gönderildi",
    "tarih", "kime", "konu", "ημερομηνία", "στάλθηκε", "προς", "θέμα", "נשלח", "אל", "נושא",
    "تاريخ", "إلى", "الموضوع", "发送时间", "日期", "收件人", "主题", "寄件日期", "收件者", "主旨",
    "日時", "宛先", "件名", "보낸 날짜", "받는 사람", "제목", "ngày", "đến", "chủ đề", "tanggal",
    "kepada", "subjek", "wann", "quand", "répondre à", "относно", "изпратено", "poslano", "prima",
    "predmet", "받은 사람", "받는사람", "날짜", "보낸시간", "ถึง", "เรื่อง", "ส่ง", "alıcı", "rubrik",
)  # fmt: skip
_FOOTERS = (
    r"-----begin pgp signed message-----", r"hash: \w+$", r"sent from my\b",
    r"sent (?:from|via|with|using)\b.{2,60}$", r"get outlook for\b",
    r"(?:von|mit) mein\w+ .{2,60} gesendet", r"gesendet (?:von|mit|über)\b", r"(?:diese nachricht|"
    r"diese e-?mail|e-?mail) wurde .{2,80} gesendet", r"envoyé (?:de|depuis|à partir d|avec)\b",
    r"télécharger outlook\b", r"enviado (?:desde|do|de|con|a partir)\b", r"obter o outlook\b",
    r"inviato (?:da|dal|con)\b", r"scarica outlook\b", r"verzonden (?:vanaf|met|via|van)\b",
    r"verstuurd (?:vanaf|met|via|van)\b", r"skickat från\b", r"skickades från\b", r"sendt fra\b",
    r"lähetetty\b.{2,40}$", r"wysłan[oeay]+ z\b", r"odesláno z\b", r"отправлено (?:с|из)\b",
    r"надіслано з\b", r"gönderildi$", r"iphone'umdan gönderildi", r"发自我的", r"從我的.{1,20}傳送",
    r"iphoneから送信", r"나의 iphone에서 보냄", r"outlook für (?:ios|android)\b",
    r"hol(?:en sie sich)? (?:dir )?outlook\b", r"please excuse (?:my brevity|typos)",
    r"this (?:e-?mail|message).{0,60}(?:confidential|checked for viruses|scanned)",
    r"diese (?:e-?mail|nachricht).{0,60}(?:vertraulich|viren)", r"ce (?:message|courriel).{0,60}"
    r"(?:confidentiel|virus)", r"virus-free\.", r"virenfrei\.", r"garanti sans virus",
    r"libre de virus", r"privo di virus", r"confidentiality notice",
    r"the information contained in",
)  # fmt: skip

# A short line with the name of a program or a device is what that program added, in any language.
_PROGRAMS = (
    r"\b(?:iphon|ipad)", r"\b(?:outlook|blackberry|bluemail|thunderbird|k-9 mail)\b",
    r"\b(?:proton|yahoo|aol|gmx|libero|zoho|tuta|mail\.ru|hcl|canary) ?mail\b", r"\bweb\.de\b",
    r"(?<=\S )(?:galaxy|samsung|huawei|xiaomi|redmi|android|oneplus|motorola)", r"[华小][为米]手机",
    r"\bmail\b.{1,8}\bwindows\b", r"\be-?post\b.{1,8}\bwindows\b",
)  # fmt: skip
# What a company's mail server puts above or below messages that come from outside.
_BANNERS = (
    r"\W*(?:caution|warning|attention|external|extern\w*|achtung|vorsicht|let op|avertissement"
    r"|atención|attenzione|uwaga)\b.{0,80}\b(?:e-?mails?|messages?|sender|nachricht|absender|courriel"
    r"|correo|mensaje|messaggio|bericht|wiadomość)\b",
    r"(?:some people who received this message )?(?:you )?don.?t often get e-?mail from",
)  # fmt: skip

PGP_SIGNATURE = "-----BEGIN PGP SIGNATURE-----"
SIGNATURE_MARKS = frozenset({"--", "-- ", "\u2013", "\u2014", "\u2015", "__", "--="})
OWN_MARK = re.compile(r"=+\s*reply above this line\s*=*", re.IGNORECASE)
_AROUND = " \t\u200e\u200f\u202a\u202b\u202c\xa0*_"  # marks of direction, and of bold type
DIGIT_OR_ADDRESS = re.compile(r"[\d@<]")
_COLONS = (":", "\uff1a", "\ufe55")
_ADDRESS = re.compile(r"[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+")
_DATE = re.compile(r"\d{1,4}\s?[./年-]\s?\d{1,2}\s?[./月-]\s?\d{1,4}")
_TIME = re.compile(r"\d{1,2}[:.]\d\d")
_LINK = re.compile(r"\s*<(?:https?|mailto):[^<>\s]{1,300}>")
_WEB_ADDRESS = re.compile(r"(?:https?://|www\.)\S+")


def _words(words: tuple[str, ...]) -> str:
    return "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))


# After the word there may be a name, or a time with its colons.
_END_OF_WROTE = re.compile(rf"(?:{_words(_WROTE)})(?:\W.{{0,160}})?[:：\ufe55]$")
_HEADER = re.compile(rf"[*_]?(?:{_words(_FROM)})\s?[:：][*_]?\s*\S", re.IGNORECASE)
_FIELD = re.compile(rf"[*_]?(?:{_words(_OTHER_FIELDS)})\s?[:：][*_]?(?:\s|$)", re.IGNORECASE)
_RULE = r"[-=_*\s>]{2,}\s*"
_SEPARATOR = re.compile(rf"(?:{_RULE})(?:{_words(_SEPARATORS)})\s*:?\s*[-=_*]*$", re.IGNORECASE)
_FORWARD = re.compile(
    rf"(?:[-=_*]{{2,}}\s*)?(?:{_words(_FORWARDS)})\s*(?:[-=_*]+|[:：])\s*$", re.IGNORECASE
)
_FOOTER = re.compile("|".join((*_FOOTERS, *_BANNERS)), re.IGNORECASE)
_PROGRAM = re.compile("|".join(_PROGRAMS), re.IGNORECASE)
_NAMES_NUMBER = re.compile(r".*\d\W*$|\W*\d|.*(?:->|[>\u2192;])")
_LABEL = re.compile(r"[^\d:：<>@]{1,30}[:：]")
_MARKS_AROUND = re.compile(r".*\S.* >{2,}$")
_MESSAGE_FROM = re.compile(r"-{3,} .{0,100}@.{0,80} -{3,}")  # of Horde
_RULED = re.compile(r"([-=_*])\1{3,} ?[^\W\d_].*\1{4,}")
_UNDERSCORES = re.compile(r"_{20,}")


def bare(text: str) -> str:
    """The text without spaces and marks around it."""
    return text.strip(_AROUND)


def says_wrote(text: str, *, above_marks: bool = False) -> bool:
    """Whether one line, or a few joined ones, is `On Monday Tom wrote:` in some language.

    Above marked lines, or between dashes, it needs no date and no address.
    """
    line = bare(text).casefold()
    certain = above_marks or line.startswith("--")
    if len(line) > 400 or not line.endswith((*_COLONS, "--")):
        return False
    # Zoho Mail: `---- On Sun, 22 Nov 2026 Tom wrote ----`
    line = re.sub(r"^-+\s*(.*?)\s*-+$", r"\1:", line)
    if not _END_OF_WROTE.search(line):
        return False
    return certain or line.startswith(_OPENINGS) or DIGIT_OR_ADDRESS.search(line) is not None


def may_open(text: str) -> bool:
    """Whether a line may be the first of a wrapped introduction: an opening, date or address."""
    line = bare(text).casefold()
    return line.startswith(_OPENINGS) or "@" in line or sum(map(str.isdigit, line)) >= 5


def is_header(text: str) -> bool:
    """Whether a line is the From line of a quoted header: `Von: Rubicon <play@…>`."""
    return len(text) < 400 and _HEADER.match(text.strip()) is not None


def is_header_field(text: str) -> bool:
    """Whether a line is another field of a quoted header: `Gesendet: Montag`."""
    return len(text) < 400 and _FIELD.match(text.strip()) is not None


def is_labelled(text: str) -> bool:
    """Whether a line has the shape of a field of a header: a few words, and a colon."""
    found = _LABEL.match(text.strip()) if len(text) < 400 else None
    return found is not None and len(found.group().split()) <= 3


def is_between_marks(text: str) -> bool:
    """Whether a marked line also ends with marks: `>>> Tom 22.11.2026 20:58 >>>`, of GroupWise."""
    return len(text) < 400 and _MARKS_AROUND.match(text.rstrip()) is not None


def has_address(text: str) -> bool:
    """Whether a line has an address."""
    return len(text) < 400 and _ADDRESS.search(text) is not None


def has_date(text: str) -> bool:
    """Whether a line has a date in digits."""
    return len(text) < 400 and _DATE.search(text) is not None


def has_time(text: str) -> bool:
    """Whether a line has a time of day."""
    return len(text) < 400 and _TIME.search(text) is not None


def tells_sender_and_date(text: str) -> bool:
    """Whether a line that ends with a colon has an address and a date, in whatever language."""
    line = bare(text)
    return line.endswith(_COLONS) and has_address(line) and (has_date(line) or has_time(line))


def is_separator(text: str) -> bool:
    """Whether a line is `-----Original Message-----` in some language."""
    line = text.strip()
    found = _SEPARATOR.match(line) or _MESSAGE_FROM.fullmatch(line)
    return len(line) < 200 and found is not None


def may_separate(text: str) -> bool:
    """Whether a line above a quoted header is a separator, in a language that is not known here."""
    line = text.strip().casefold()
    return len(line) < 80 and (_RULED.fullmatch(line) is not None or line in _SEPARATORS)


def is_forward(text: str) -> bool:
    """Whether a line begins a forwarded message."""
    return len(text) < 120 and _FORWARD.match(text.strip()) is not None


def is_footer(text: str) -> bool:
    """Whether a mail program or a virus scanner added the line."""
    line = _LINK.sub("", bare(text))
    if not 5 < len(line) < 400:
        return False
    if _FOOTER.match(line) or _WEB_ADDRESS.fullmatch(line) or _ADDRESS.fullmatch(line):
        return True
    return len(line) < 80 and bool(_PROGRAM.search(line)) and not _NAMES_NUMBER.match(line)


def is_ruler(text: str) -> bool:
    """Whether a line is nothing but twenty underscores or more, above a footer or a header."""
    return _UNDERSCORES.fullmatch(text.strip()) is not None


# Gives each line its role: the sender's own words, quotation, signature, forwarded message.
#
# What is in doubt is no own text: a line that is wrongly left out costs the player one more
# e-mail, a line that is wrongly taken costs armies.

INTRODUCTION_LINES = 4  # over which mail programs wrap an introduction
WRAPPED = 40  # characters from which a quoted line may have been cut
PRESS_LINES = 200  # of a message to another player
MOST_MARKS = 5
ENDPRESS = "endpress"
# What only an e-mail can ask for.
OF_EMAILS = frozenset({"address", "change", "join", "leave", "colour", "color"})
HEADER_LINES = 6  # within which a quoted header shows a second field
LABELLED_LINES = 3  # are a header, in a language that is not known here
LINES_ABOVE = 6  # of a heading, that may belong to it


# The older message follows without marks: everything to the end belongs to it.
UNMARKED = (LineRole.QUOTED, LineRole.FORWARDED)


def with_roles(lines: Sequence[MailLine]) -> tuple[MailLine, ...]:
    """The same lines with their roles."""
    return _RoleFinder(lines).all()


class _RoleFinder:
    """Goes through lines from the first to the last; `_below` is the role of unmarked ones here."""

    def __init__(self, lines: Sequence[MailLine]) -> None:
        self._lines = lines
        self._found: list[MailLine] = []  # one for each line that has been gone through
        self._below = LineRole.OWN

    def all(self) -> tuple[MailLine, ...]:
        """All lines with their roles."""
        while (at := len(self._found)) < len(self._lines):
            if self._lines[at].depth:
                self._take_marked(at)
            elif self._below is LineRole.OWN and (end := _end_of_press(self._lines, at)):
                self._found += [_with_marks(each) for each in self._lines[at:end]]
            elif self._below not in UNMARKED and (heading := _heading(self._lines, at)):
                self._take_heading(at, *heading)
            else:
                self._take_plain(at)
        return tuple(self._found)

    def _take_marked(self, at: int) -> None:
        if _begins_without_marks(self._lines, at):
            self._below = LineRole.QUOTED
        elif self._below not in UNMARKED:
            self._below = LineRole.OWN
        role = self._below if self._below in UNMARKED else LineRole.QUOTED
        self._found.append(self._lines[at]._replace(role=role))

    def _take_heading(self, at: int, count: int, below: LineRole) -> None:
        self._below = below
        if below in UNMARKED:
            _claim_lines_above(self._found)
        heading = self._lines[at : at + count]
        self._found += [each._replace(role=LineRole.INTRODUCTION) for each in heading]

    def _take_plain(self, at: int) -> None:
        line = self._lines[at]
        if self._below is LineRole.OWN and _begins_signature(line):
            self._below = LineRole.SIGNATURE
        rest = self._below is LineRole.OWN and _is_wrapped_rest(self._lines, at)
        role = LineRole.QUOTED if rest else _role(line, self._below)
        self._found.append(line._replace(role=role))


def _begins_without_marks(lines: Sequence[MailLine], at: int) -> bool:
    """Whether the only marks are around this line, and an older message follows it."""
    if not is_between_marks(lines[at].text):
        return False
    following = _next_text(lines, at + 1)
    alone = following < len(lines) and not lines[following].depth
    return alone and not any(line.depth for line in lines[:at])


def _claim_lines_above(found: list[MailLine]) -> None:
    """Lines with a date or an address directly above a heading are its beginning."""
    first = len(found)
    for at in range(len(found) - 1, max(-1, len(found) - 1 - LINES_ABOVE), -1):
        line = found[at]
        if line.role is not LineRole.OWN or _is_order(line.text):
            break
        if has_address(line.text) or (has_date(line.text) and has_time(line.text)):
            first = at
        elif line.text.strip():
            break
    found[first:] = [line._replace(role=LineRole.INTRODUCTION) for line in found[first:]]


def _end_of_press(lines: Sequence[MailLine], at: int) -> int:
    """After the ENDPRESS of a message to another player that begins here; 0 where none does.

    Everything between is the message, also what looks like a signature or a quotation. Only our own
    line and a quoted header cannot be in it: there an older e-mail begins.
    """
    if lines[at].text.split(None, 1)[:1] not in (["PRESS"], ["press"], ["Press"]):
        return 0
    rest = range(at + 1, min(at + PRESS_LINES, len(lines)))
    end = next((n for n in rest if _is_endpress(lines[n])), 0)
    older = any(OWN_MARK.search(lines[n].text) or _header_at(lines, n) for n in range(at + 1, end))
    return end + 1 if end and not older else 0


def _is_endpress(line: MailLine) -> bool:
    return not line.depth and line.text.strip().casefold() == ENDPRESS


def _with_marks(line: MailLine) -> MailLine:
    return MailLine("> " * min(line.depth, MOST_MARKS) + line.text)


def _role(line: MailLine, below: LineRole) -> LineRole:
    added = is_footer(line.text) and not _is_order(line.text)
    if below is LineRole.OWN and (line.role is LineRole.SIGNATURE or added):
        return LineRole.SIGNATURE
    return below


def _is_wrapped_rest(lines: Sequence[MailLine], at: int) -> bool:
    """Whether a line is the rest of a long quoted line that a program cut without a second mark."""
    if not 0 < at < len(lines) - 1 or not lines[at].text.strip() or _is_order(lines[at].text):
        return False
    before, after = lines[at - 1], lines[at + 1]
    return before.depth > 0 and after.depth > 0 and len(before.text.rstrip()) >= WRAPPED


def _begins_signature(line: MailLine) -> bool:
    text = line.text
    return text.rstrip() in SIGNATURE_MARKS or text.startswith(PGP_SIGNATURE) or is_ruler(text)


def _heading(lines: Sequence[MailLine], at: int) -> tuple[int, LineRole] | None:
    """How many lines introduce older mail here, and the role of unmarked lines below them."""
    text = lines[at].text
    if not text.strip():
        return None
    if OWN_MARK.search(text):
        return 1, LineRole.QUOTED
    if attribution := _attribution(lines, at):
        return attribution
    if is_forward(text):
        return 1, LineRole.FORWARDED
    if is_separator(text):
        return 1, LineRole.QUOTED
    following = _next_text(lines, at + 1)
    if (is_ruler(text) or may_separate(text)) and _header_at(lines, following):
        return 1, LineRole.QUOTED
    if may_separate(text) and following < len(lines) and lines[following].depth:
        return 1, LineRole.QUOTED
    if has_address(text) and following == at + 1 < len(lines) and _is_date(lines[following]):
        return 1, LineRole.QUOTED  # old Notes: a name with its address, and the date below
    return (1, LineRole.QUOTED) if _header_at(lines, at) else None


def _header_at(lines: Sequence[MailLine], at: int) -> bool:
    """Whether a quoted header begins here: a From line and another field, in any order."""
    found = [line.text for line in lines[at : at + HEADER_LINES] if not line.depth]
    if not found or _is_order(found[0]):
        return False
    if _is_labelled_block(found):
        return True
    if not (is_header(found[0]) or is_header_field(found[0])):
        return False
    fields = sum(is_header(text) or is_header_field(text) for text in found)
    return fields >= 2 and any(is_header(text) for text in found)


def _is_labelled_block(texts: Sequence[str]) -> bool:
    """Whether lines are a header in a language that is not known here."""
    block = texts[:LABELLED_LINES]
    labelled = all(is_labelled(text) and not _is_order(text) for text in block)
    if len(block) < LABELLED_LINES or not labelled:
        return False
    return any(has_address(text) or has_date(text) or has_time(text) for text in block)


def _is_date(line: MailLine) -> bool:
    return (
        not line.depth and len(line.text) < WRAPPED and has_date(line.text) and has_time(line.text)
    )


def _attribution(lines: Sequence[MailLine], at: int) -> tuple[int, LineRole] | None:
    """An introduction of up to four lines.

    Marked lines below it: only they are quoted. None: it is at the head of an unmarked
    quotation, if its words say that somebody wrote.
    """
    if _is_order(lines[at].text):
        return None
    words: list[str] = []
    for count in range(1, INTRODUCTION_LINES + 1):
        if at + count > len(lines):
            return None
        line = lines[at + count - 1]
        if line.depth or not line.text.strip():
            return None
        words.append(bare(line.text))
        joined = " ".join(words)
        following = _next_text(lines, at + count)
        marked = following < len(lines) and lines[following].depth > 0
        if says_wrote(joined, above_marks=marked) or tells_sender_and_date(joined):
            return count, LineRole.OWN if marked else LineRole.QUOTED
        # In a language that is not known here, a date or an address and a colon above marked
        # lines are enough.
        if marked and joined.endswith((":", "：")) and may_open(joined):
            return count, LineRole.OWN
        if not may_open(words[0]):
            return None
    return None


def _is_order(text: str) -> bool:
    """Whether a line begins with a verb of the order language, or of e-mails: `ADDRESS a@b.org`."""
    first = text.split(None, 1)[:1]
    word = first[0].casefold().rstrip(":") if first else ""
    return word in MEANINGS or word in OF_EMAILS


def _next_text(lines: Sequence[MailLine], at: int) -> int:
    """The index of the next line that is not blank; the number of lines where there is none."""
    while at < len(lines) and not lines[at].text.strip():
        at += 1
    return at
