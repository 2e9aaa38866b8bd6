// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "launch/Message.h"

#include <gtest/gtest.h>
#include <random>

using namespace tert::launch;

TEST(Message, ComesBackInPieces) {
  const std::string zeros("a\0b", 3);
  std::string bytes =
      Packer().number(7).text(zeros).texts({"x", "", "yz"}).frame(Kind::Set) +
      Packer().frame(Kind::Alive);
  Inbox inbox;
  std::vector<Message> messages;
  for (char c : bytes) {
    inbox.bytes += c;
    while (std::optional<Message> message = inbox.next(1000))
      messages.push_back(*message);
  }
  ASSERT_EQ(messages.size(), 2u);
  EXPECT_EQ(messages[0].kind, Kind::Set);
  Unpacker unpacker(messages[0].payload);
  EXPECT_EQ(unpacker.number(), 7u);
  EXPECT_EQ(unpacker.text(), zeros);
  EXPECT_EQ(unpacker.texts(), (std::vector<std::string>{"x", "", "yz"}));
  EXPECT_TRUE(unpacker.isWhole());
  EXPECT_EQ(messages[1].kind, Kind::Alive);
  EXPECT_TRUE(inbox.bytes.empty());
  EXPECT_FALSE(inbox.isBad());
}

TEST(Message, LongFramesAreRefusedBeforeTheyAreRead) {
  Inbox inbox;
  inbox.bytes = "GET / HTTP/1.1\r\n\r\n"; // A size of "/ HT".
  EXPECT_FALSE(inbox.next(maxHelloBytes));
  EXPECT_TRUE(inbox.isBad());
}

/// With codes they come in the order in which they were sealed, or not at all.
TEST(Message, CodesAreChecked) {
  const Key key = keyOf("secret", "test");
  auto bytesOf = [&](const std::vector<std::string> &frames) {
    FrameAuthenticator seal(key);
    std::string bytes;
    for (const std::string &frame : frames)
      bytes += frame + seal.next(frame);
    return bytes;
  };
  const std::string one = Packer().text("one").frame(Kind::Set),
                    two = Packer().text("two").frame(Kind::Set);
  const std::string good = bytesOf({one, two});
  auto taken = [&](const std::string &bytes, const Key &by) {
    Inbox inbox;
    inbox.seal.emplace(by);
    int count = 0;
    for (char c : bytes) {
      inbox.bytes += c;
      while (inbox.next(100))
        ++count;
    }
    return inbox.isBad() ? -1 : count;
  };
  EXPECT_EQ(taken(good, key), 2);
  EXPECT_EQ(taken(good, keyOf("secret", "another")), -1);
  const size_t half = good.size() / 2;
  EXPECT_EQ(taken(good.substr(half), key), -1);
  EXPECT_EQ(taken(good.substr(0, half) + good.substr(0, half), key), -1);
  for (size_t i = 0; i < half; ++i) {
    std::string changed = good;
    changed[i] ^= 1;
    EXPECT_LT(taken(changed, key), 1) << i;
  }
}

TEST(Message, SaysHowMuchIsMissing) {
  const std::string frame = Packer().text("four").frame(Kind::Set);
  Inbox inbox;
  EXPECT_EQ(inbox.missing(), 8u);
  inbox.bytes = frame.substr(0, 10);
  EXPECT_EQ(inbox.missing(), frame.size() - 10);
  inbox.seal.emplace(keyOf("secret", "test"));
  EXPECT_EQ(inbox.missing(), frame.size() - 10 + FrameAuthenticator::bytes);
}

TEST(Message, TextsFromElsewhereMoveNoCursor) {
  EXPECT_EQ(printable("plain, \xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\nnext"),
            "plain, \xc3\xa4\xe2\x82\xac\xf0\x9f\x98\x80\nnext");
  EXPECT_EQ(printable(std::string("\0\t\r\x1b[31m\x7f", 9)),
            "\\x00\\x09\\x0d\\x1b[31m\\x7f");
  // A control character of 8 bits, as UTF-8 and alone; halves and what is too
  // long; marks that turn the text around.
  EXPECT_EQ(printable("\xc2\x9b|\x9b|\xe2\x82|\xc0\xaf|\xed\xa0\x80|"
                      "\xf4\x90\x80\x80"),
            "\\xc2\\x9b|\\x9b|\\xe2\\x82|\\xc0\\xaf|\\xed\\xa0\\x80|"
            "\\xf4\\x90\\x80\\x80");
  EXPECT_EQ(printable("\xe2\x80\xae"), "\\xe2\\x80\\xae");
}

TEST(Message, NoBytesLeadAstray) {
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string bytes(random() % 40, '\0');
    for (char &c : bytes)
      c = static_cast<char>(random() % 4 ? random() % 3 : random());
    Unpacker unpacker(bytes);
    unpacker.number();
    unpacker.text();
    EXPECT_LE(unpacker.texts().size(), 40u);
    Inbox inbox;
    inbox.bytes = bytes;
    while (std::optional<Message> message = inbox.next(30))
      EXPECT_LE(message->payload.size(), 30u);
  }
  Unpacker truncated(std::string_view("\5\0\0\0abc", 7));
  EXPECT_EQ(truncated.text(), "");
  EXPECT_FALSE(truncated.isWhole());
  EXPECT_EQ(truncated.number(), 0u);
}
