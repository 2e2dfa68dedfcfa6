// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import static dev.mooring.plugin.nfs.Calls.answer;
import static dev.mooring.plugin.nfs.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.spi.host.MountEntry;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NfsMountOptionsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "                      | false | retry=0",
                "                      | true  | ro,retry=0",
                "hard;vers=4.2         | false | hard,vers=4.2,retry=0",
                "vers=4.2;hard;vers=4.2| false | vers=4.2,hard,retry=0",
                "retry=5               | false | retry=5",
                "rw;hard               | true  | hard,ro,retry=0",
                "ro                    | false | ro,retry=0",
                "nfsvers=3;vers=3      | false | nfsvers=3,retry=0",
            })
    void n06_oursComeLastAndRetryIsTheHosts(String user, boolean readOnly, String expected) {
        assertThat(value(NfsMountOptions.of(words(user), readOnly)).joined()).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ro;rw",
                "hard;soft",
                "soft;softerr",
                "vers=3;vers=4",
                "nfsvers=3;vers=4",
                "v3;vers=4.1",
                "tcp;udp",
                "proto=tcp;udp",
                "lock;nolock",
                "rsize=1024;rsize=2048",
                "ac;noac"
            })
    void contradictionsAreRefusedAndNotGuessed(String user) {
        assertThat(answer(NfsMountOptions.of(words(user), false))).isEqualTo("INVALID");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "hard,remount",
                "hard\nbind",
                "hard\0",
                "bind",
                "rbind",
                "move",
                "remount",
                "make-shared",
                "loop",
                "loop=/dev/loop0",
                "user",
                "users",
                "user=me",
                "owner",
                "group",
                "helper=x",
                "x-mount.mkdir",
                "X-any",
                "context=a",
                "fscontext=a",
                "defcontext=a",
                "rootcontext=a",
                "addr=10.0.0.1",
                "bg"
            })
    void whatWouldBeAnotherMountIsRefused(String option) {
        assertThat(answer(NfsMountOptions.of(List.of("hard", option), false))).isEqualTo("INVALID");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "vers=4.2      | vers=4.2,hard,proto=tcp,sec=sys  |",
                "vers=4        | vers=4.1,hard                    |",
                "vers=4;minorversion=1 | vers=4.1,hard            |",
                "vers=4;minorversion=1 | vers=4.2,hard            | vers is 4.2 instead of 4.1",
                "v4.2          | vers=4.2                         |",
                "nfsvers=4.2   | vers=3,hard                      | vers is 3 instead of 4.2",
                "vers=4        | vers=3                           | vers is 3 instead of 4",
                "soft          | hard,vers=4.2                    | recovery is hard instead of soft",
                "hard          | soft                             | recovery is soft instead of hard",
                "tcp           | proto=tcp6                       |",
                "proto=udp     | proto=tcp                        | proto is tcp instead of udp",
                "sec=krb5      | sec=sys                          | sec is sys instead of krb5",
                "sec=krb5:sys  | sec=sys                          |",
                "sec=krb5      | vers=4.2                         | sec is unknown instead of krb5",
                "              | ro,vers=4.2                      | access is ro instead of rw",
                "ro            | rw,vers=4.2                      | access is rw instead of ro",
                "ro            | ro,vers=4.2                      |",
            })
    void n08_whatWasAskedForHasToBeWhatIs(String user, String effective, String conflict) {
        EffectiveOptions options =
                new EffectiveOptions(value(NfsMountOptions.of(words(user), false)), entry(effective.split(",")));
        assertThat(options.conflicts()).isEqualTo(conflict == null ? List.of() : List.of(conflict));
    }

    @Test
    void whatIsNotVitalIsOnlyTold() {
        NfsMountOptions wanted = value(
                NfsMountOptions.of(List.of("timeo=100", "rsize=1048576", "actimeo=5", "retry=1", "nolock"), false));
        EffectiveOptions options = new EffectiveOptions(wanted, entry("rw", "timeo=600", "rsize=1048576", "vers=4.2"));
        assertThat(options.conflicts()).isEmpty();
        assertThat(options.differences()).containsExactly("timeo is 600 instead of 100");
    }

    private static List<String> words(String text) {
        return text == null ? List.of() : Arrays.asList(text.strip().split(";"));
    }

    private static MountEntry entry(String... superOptions) {
        return new MountEntry(
                1,
                0,
                "0:40",
                "/",
                false,
                Path.of("/t"),
                List.of("relatime"),
                OptionalLong.empty(),
                OptionalLong.empty(),
                "nfs4",
                "server:/a",
                List.of(superOptions));
    }
}
