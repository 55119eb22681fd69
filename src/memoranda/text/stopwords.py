"""Words that say nothing about the matter of a text, in English and Chinese."""

from __future__ import annotations


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ENGLISH = _words(
    """
    a about above actually after again against ago ah all almost along already alright also
    although always am among an and another any anybody anymore anyone anything anyway are aren
    around as ask asked at away back be became because become been before behind being below
    best better between bit both but by bye came can cannot cant certainly come comes coming
    could couldn couple did didn do does doesn doing don done down during each eg either else
    enough especially etc even ever every everybody everyone everything exactly except few fine
    first follow following for from further gave get gets getting give given gives giving go
    goes going gone gonna good goodbye got gotta great had hadn happen happened happens hardly
    has hasn have haven having he hello help helps hence her here hers herself hey hi him
    himself his hmm how however i id ie if im in indeed inside instead into is isn it its itself
    ive just keep keeps kept kind know known knows last later least less let lets like likely
    little ll look looking looks lot lots made mainly make makes making many may maybe me mean
    means might mine more most mostly much must my myself near need needed needs neither never
    next nice no nobody none nope nor not nothing now nowhere of off often oh ok okay on once
    one ones only onto or other others otherwise our ours ourselves out outside over own
    particularly per perhaps please possible possibly pretty probably put quite rather re really
    regarding right said same saw say saying says second see seem seems seen shall she should
    shouldn simply since so some somebody somehow someone something sometimes somewhere soon
    sorry still stuff such sure take taken takes taking tell than thank thanks that thats the
    their theirs them themselves then there therefore these they thing things think this those
    though thought three through throughout thus till to today together told tomorrow tonight
    too took toward towards tried try trying two uh um under unless unlike until up upon us use
    used useful uses using usually various ve very via wanna want wanted wants was wasn way ways
    we well went were weren what whatever when whenever where whereas wherever whether which
    while who whoever whole whom whose why will with within without won wont would wouldn wow
    yeah yep yes yesterday yet you your yours yourself yourselves
    """
)
"""Function words and the small change of conversation, as written in lower case."""

GREETINGS = _words(
    """
    afternoon alright appreciate bye care cheers cool day evening fine good goodbye great hello
    hey hi hiya later lol morning nice night no nope ok okay perfect please right see soon
    sounds sure sweet take thank thanks thx welcome well wonderful wow yeah yep yes yo you
    """
)
"""English words of which a mere greeting, thanks or assent is made."""

WEAK = _words(
    """
    able absolute absolutely accept access achieve action active activity actual add additional
    adjust advice agree allow amazing answer appear apply approach april area aspect assist
    assistant august avoid aware awesome base basic basically begin believe big bring bunch busy
    call care case cause chance change chat check choice choose clarify clear clearly close com
    comfortable common complete concern confirm connect consider contact content continue
    convenient conversation cool correct cover create crucial curious current currently daily
    date day deal dear december decide decision deep define definite deliver depend describe
    design detail determine develop different difficult direct discuss discussion easy effect
    effective efficient effort eight element encourage end engage enjoy ensure entire essential
    establish example excellent excite exist expect experience explain explore extra extremely
    fact fair familiar fantastic feature february feel feeling fill final finally find finish
    fit five fix focus folk form format forward four fourth free fresh friday friend full fun
    future general generally gentle glad goal guidance guide guy guys handle happy hard head
    hear heavy high highlight hold honestly hope hour http https huge hundred idea identify
    imagine immediate immediately impact implement important impossible improve include
    incredible individual inform information initial input insight interest interesting involve
    issue item january job join july jump june key large late lead learn leave left level light
    limit line link list listen literally live local long love low madam main maintain major man
    manage manager march mark match material matter method mind minute miss moment monday month
    morning move multiple natural nature nbsp necessary new night nine note notice november
    number obviously october offer old open opportunity option order organize original outcome
    outline overall overview pace part pass past people perfect perform period person personal
    phase phrase pick piece place plan play plenty pm point popular positive potential power
    powerful practical prefer prepare present previous primary prioritize priority problem
    proceed process produce progress project proper provide pull purpose push quality question
    quick quickly reach read ready real realistic reason recall receive recent recommend record
    refer reference reflect regular relate relevant remain remember remind request require
    resource response rest result return review rich role round run safe sample saturday save
    schedule section select send sense september serious seriously session set setup seven share
    short shot show side significant similar simple single sir situation six skip small solid
    solution specific specifically spend stage standard start state stay step stick stop
    straight strategy strong structure style suggest suggestion suit suitable summarize summary
    sunday super support sweet system tackle talk target task ten test text third thorough
    thousand thursday tip ton tool top topic total totally touch track true truly tuesday turn
    type typical understand understood unique update url user valuable value variety version
    view visit vital wait walk watch wednesday week weekend weekly welcome wide wish wonder word
    work worry worth write wrong www year young
    """
)
"""English words too vague to begin or end a name, as written in lower case."""

CHINESE_SINGLE = frozenset(
    "上下不与且个中为么之也了于些什从他以们会但你候做其再几到前去又及只可各后向吗吧呀"
    "呢和哦哪啊嗯因在地太她如它对将就已并很得怎想我或所才把无时是更最有来果某此每没然"
    "用的看着给而能虽被要让该说请谁过还这那都里"
)
"""Chinese characters that bind or soften; a bigram of two of them names nothing."""

CHINESE_WORDS = _words(
    """
    一下 一个 一些 一样 一点 一直 一起 上去 下来 不会 不是 不用 不能 不要 不过 为什
    之前 之后 也是 什么 今天 他们 以前 以及 以后 但是 你们 你好 使用 关于 其他 其实
    几个 出来 只是 可以 可是 可能 告诉 咱们 哪个 哪里 喜欢 因为 多少 大家 她们 好的
    如果 它们 对于 就是 已经 希望 帮你 帮我 并且 应该 建议 当然 很多 必须 怎么 怎样
    您好 想要 感谢 我们 或是 或者 所以 所有 时候 时间 明天 昨天 曾经 有些 有点 根据
    正在 每个 比较 没有 没问 然后 特别 现在 真的 知道 而且 能够 自己 虽然 觉得 认为
    许多 请问 谢谢 起来 还是 还有 还要 这个 这么 这些 这样 这里 进行 通过 那个 那么
    那些 那样 那里 都是 问题 需要 非常
    """
)
"""Chinese words of conversation that name no matter."""

CHINESE_GREETINGS = _words(
    """
    上午好 下午好 不 不客气 不是 不用 中午好 你好 再见 可以 哈哈 哈喽 嗨 嗯
    嗯嗯 在吗 多谢 大家好 好 好吧 好啊 好的 对 对的 您好 感谢 拜拜 收到
    早 早上好 早安 明白 明白了 是 是的 晚上好 晚安 没关系 没问题 知道了 行 行吧
    谢谢 谢谢你 谢谢您 辛苦了
    """
)
"""Whole Chinese messages that only greet, thank or agree."""
