"""How mail programs introduce quoted mail, in many languages, and what they add to a text."""

from __future__ import annotations

import re

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


# Behind the word there may be a name, or a time with its colons.
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
    """Whether an address stands in a line."""
    return len(text) < 400 and _ADDRESS.search(text) is not None


def has_date(text: str) -> bool:
    """Whether a date in digits stands in a line."""
    return len(text) < 400 and _DATE.search(text) is not None


def has_time(text: str) -> bool:
    """Whether a time of day stands in a line."""
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
