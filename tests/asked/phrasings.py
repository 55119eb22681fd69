"""A hundred ways to ask that something be forgotten, and a hundred that only sound like it: our own."""

from __future__ import annotations

ENGLISH = tuple(
    """
Please forget that I used to smoke.
Forget what I said about my knee.
Could you please forget my old phone number?
Can you forget everything I told you about the lawsuit?
I'd like you to forget where I went to school.
I want you to forget my sister's name.
Hey, forget that I ever mentioned the promotion.
Please just forget about my trip to Oslo.
Forget all about my gym membership, please.
You can forget the thing about the dentist.
Would you please forget what we said about the loan?
Kindly forget my shoe size.
Okay, please forget who my landlord is.
I changed my mind, so please forget what I told you about the wedding.
Please stop remembering my weight.
Please don't store my date of birth.
Please do not keep my bank details.
I don't want you to remember my diagnosis.
I'd rather you didn't remember my ex-wife's address.
Delete what I told you yesterday about Karim.
Please delete my home address.
Delete everything I said about my therapy.
Could you delete all the notes about my pregnancy?
Please erase what you know about my debts.
Erase the entry about my salary.
Erase my phone number from your memory.
Remove my email address from your records.
Please remove the fact that I am divorced from your memory.
Please remove everything about the surgery from your notes.
Wipe everything you remember about Hannah.
Wipe what I told you about the house sale.
Purge all memories of my time in Graz.
Please clear my medical history from your memory.
Get rid of what I told you about the exam.
Get rid of the note about my son's school.
Scrub my birthday from your records, will you?
Discard everything I shared about the merger.
I want my salary deleted from your memory.
I would like everything about my father to be forgotten.
I'd like what I said about the offer erased.
Would you mind forgetting that I have diabetes?
Would you mind deleting what I said about Tom's illness?
Go ahead and forget my locker number.
Thanks. Now please forget that.
Please forget what I just said.
Delete everything you know about me.
Please forget everything.
I'd appreciate it if you could forget my middle name.
You should forget what I told you about the audit.
Please make sure to forget my passport number.
""".strip().splitlines()
)

CHINESE = tuple(
    """
请忘记我以前抽烟的事。
忘掉我说过的膝盖受伤的事
请把我的旧电话号码忘掉
能不能忘掉我跟你说的官司？
我希望你忘记我在哪里上的学
请你忘掉我妹妹的名字
麻烦忘掉我提过的升职
请忘了我去奥斯陆的旅行吧
把我的健身卡忘了吧
你可以忘掉牙医那件事了
请把我说的贷款的事忘掉
麻烦你把我的鞋码忘记
好的，请忘掉我的房东是谁
我改主意了，请忘掉我说的婚礼
不要再记住我的体重
别再记着我的生日
请不要保存我的银行卡信息
我不想让你记住我的病情
我不希望你知道我前妻的地址
删掉我昨天告诉你的关于小李的事
请删除我的家庭住址
删除我说过的所有关于心理咨询的内容
能不能把关于我怀孕的记录都删掉？
请清除你知道的关于我债务的信息
把那条关于工资的记录删掉
从你的记忆里删除我的电话号码
把我的邮箱从你的记录里删掉
请把我离婚的事从你的记忆中抹掉
请把手术的事从你的笔记里删除
抹掉你记得的关于小红的一切
清除我告诉你的卖房子的事
删除所有关于我在格拉茨的记忆
请从你的记忆中清除我的病史
把我跟你说的考试的事删了
删掉关于我儿子学校的那条笔记
把我的生日从你的数据库里删除，谢谢
请帮我删掉我说过的合并的事
我想请你把我的工资忘掉
拜托，忘掉我爸爸的事
麻烦把我说的报价删除
可以忘掉我有糖尿病吗？
可不可以删掉我说的老王生病的事？
现在忘掉我的柜子号码
谢谢，请把刚才说的忘掉
请忘掉我刚才说的话
请删除你知道的关于我的一切
请忘掉所有关于我的事
帮我忘掉我的小名
你应该忘掉我告诉你的审计的事
请务必忘掉我的护照号码
""".strip().splitlines()
)

NOT_ENGLISH = tuple(
    """
Don't forget my appointment on Friday.
Please don't forget to water the plants.
Never forget that I am vegan.
I forget things all the time.
I forgot what I told you about Norway.
I always forget my keys.
Forget it, I'll do it myself.
Forget about it.
Never mind, forget it.
She asked me to forget the milk.
He told me to forget what I saw.
My sister wants me to delete my old posts.
Anna asked you to forget my address, didn't she?
Anna said: please forget my address.
She said "please forget my address" and hung up.
The note says 'delete everything you know about me'.
"Forget everything about me" is a line of the song.
He wrote: delete everything about the merger.
My boss said, please delete what I told you.
If I ever ask you to forget my address, check with Anna first.
What happens when I say forget my address?
How can I make you forget my address?
Do you forget what I tell you?
Did you forget my name?
Have you forgotten what I said?
I can't forget what you said about my cooking.
I will never forget our trip to Porto.
Let's not forget that rent is due.
We must not forget my mother's birthday.
Unforgettable, that concert.
You forgot my birthday.
I don't remember where I left my bag.
I don't remember what I ate on Monday.
I don't know my blood type.
Delete the third row of the table.
Please delete the branch after merging.
Can you delete the file on my desktop?
Remove the background of the picture.
Please remove the trailing spaces from the text.
Clear the table before dinner.
Drop the database and create it again.
I deleted my account last week.
I want to delete my Facebook account.
He deleted all my photos.
Wipe the kitchen counter, please.
I need to remove my make-up.
The doctor removed my appendix in 2019.
I had to erase the whiteboard.
Let me know what you remember about Anna.
Keep in mind that I moved to Lyon.
""".strip().splitlines()
)

NOT_CHINESE = tuple(
    """
别忘了我周五的预约
请不要忘记浇花
千万别忘记我吃素
我老是忘事
我忘了跟你说的挪威的事
我总是忘记带钥匙
算了，忘了吧
忘记密码怎么办？
忘记密码了
我忘记密码了，怎么重置？
她让我忘掉牛奶的事
他叫我忘记看到的一切
妹妹要我删掉旧照片
小王说：请把我的地址删掉。
她说“请忘掉我的地址”然后挂了电话
歌词里有一句“忘掉我吧”
老板写道：删除关于合并的所有内容
经理让你删除我说的话
如果我让你忘掉我的地址，先问小王
怎么才能让你忘掉我的地址？
你会忘记我说的话吗？
你忘了我的名字吗？
你是不是忘了我说过什么
我忘不了你做的菜
我永远不会忘记那次旅行
我们不能忘记妈妈的生日
难忘的一场音乐会
你忘了我的生日
我不记得把包放哪儿了
我不记得周一吃了什么
我不知道我的血型
删掉表格的第三行
合并以后请删除这个分支
能不能删掉桌面上的文件？
把图片的背景去掉
请去掉文本里多余的空格
吃饭前把桌子清空
删除数据库再重新建
我上周把账号删了
我想注销我的微博账号
他把我的照片都删了
请把厨房的台面擦干净
我得卸妆了
医生2019年给我切了阑尾
我把白板擦掉了
告诉我你记得小红什么
请记住我搬到了里昂
记得把垃圾扔掉
忘带伞了
电影《忘了我》很好看
""".strip().splitlines()
)
