// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.host.linux.support.KernelMachine;
import dev.mooring.host.linux.support.TimedCall;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.Refusal;
import dev.mooring.storage.spi.host.HostFeature;
import dev.mooring.storage.spi.host.LinkRule;
import dev.mooring.storage.spi.host.PinnedPath;
import dev.mooring.storage.spi.host.TreeRules;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Names outside ASCII, in the locales that can and cannot express them: each in a JVM of its own, which reads its locale once. */
@Tag("long")
class LocaleTest {
    private static final String NAME = "gr\u00f6\u00dfe";

    private KernelMachine machine;
    private String loop = "";

    @BeforeEach
    void setUp() {
        machine = new KernelMachine(HostFeature.ROOT, HostFeature.RESOLVE_RULES);
        shell("mkdir -p \"$1/$2/inside\" && truncate -s 16M \"$1/$2/disk\"");
        loop = shell("losetup -f --show \"$1/$2/disk\"").strip();
    }

    @AfterEach
    void tearDown() throws IOException {
        if (machine != null) {
            KernelMachine.tool("losetup", "-d", loop);
            shell("rm -r \"$1/$2\"");
            machine.close();
        }
    }

    /** Runs a script that has the directory as {@code $1} and the name as {@code $2}, whatever the locale of this JVM is. */
    private String shell(String script) {
        String name = "set -- \"$1\" \"$(printf 'gr\\303\\266\\303\\237e')\" && ";
        return KernelMachine.tool("sh", "-c", name + script, "sh", machine.base.toString());
    }

    private String child(String locale, String what) {
        return KernelMachine.inJvm(
                List.of("env", "LC_ALL=" + locale), Child.class, machine.base.toString(), loop, what);
    }

    @Test
    void aLoopDeviceOverAFileOutsideAsciiIsFoundAgain() {
        assertThat(child("C.UTF-8", "attach")).isEqualTo(loop);
    }

    @Test
    void aLoopDeviceOverAFileThatTheLocaleCannotExpressHindersNoCall() {
        assertThat(child("C", "users")).isEqualTo("[]");
    }

    @Test
    void aPathThatTheLocaleCannotExpressIsRefused() {
        assertThat(child("C", "resolve")).isEqualTo("INVALID");
    }

    @Test
    void aDirectoryThatTheLocaleCannotExpressIsEmptied() {
        assertThat(child("C", "empty")).isEqualTo("true");
        assertThat(shell("ls \"$1/$2\"")).isEmpty();
    }

    /** Does one thing and tells what came of it. */
    static final class Child {
        private Child() {}

        public static void main(String[] arguments) {
            Path base = Path.of(arguments[0]);
            LinuxHost host = LinuxHost.ofThisMachine(LinuxHostLayout.below(base.resolve("state")))
                    .orElseThrow();
            String answer = switch (arguments[2]) {
                case "attach" -> attach(host, base.resolve(NAME).resolve("disk"));
                case "users" -> users(host, Path.of(arguments[1]));
                default -> inDirectory(host, base, arguments[2]);
            };
            System.out.writeBytes(answer.getBytes(StandardCharsets.UTF_8));
            System.out.flush();
        }

        private static String attach(LinuxHost host, Path file) {
            return KernelMachine.value(host.blockDevices().attachLoop(TimedCall.of(host), file))
                    .path()
                    .toString();
        }

        private static String users(LinuxHost host, Path device) {
            return KernelMachine.value(host.blockDevices()
                            .find(device)
                            .then(found -> host.blockDevices().users(TimedCall.of(host), found)))
                    .toString();
        }

        private static String inDirectory(LinuxHost host, Path base, String what) {
            try (PinnedPath directory =
                    KernelMachine.value(host.files().open(base, LinkRule.FOLLOW).then(opened -> {
                        try (opened) {
                            return opened.child(NAME);
                        }
                    }))) {
                if (what.equals("resolve")) {
                    return KernelMachine.refusal(directory.resolved())
                            .map(Refusal::toString)
                            .orElse("none");
                }
                TreeRules rules =
                        TreeRules.all(KernelMachine.value(directory.facts()).identity());
                Outcome<?> emptied = host.files().empty(TimedCall.of(host), directory, rules);
                return Boolean.toString(emptied.isDone());
            }
        }
    }
}
