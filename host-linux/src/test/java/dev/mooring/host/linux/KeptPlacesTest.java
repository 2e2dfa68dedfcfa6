// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.mooring.host.linux.process.ProcessIdentity;
import dev.mooring.host.linux.support.KernelMachine;
import dev.mooring.storage.spi.PluginName;
import dev.mooring.storage.spi.host.FileKind;
import dev.mooring.storage.spi.host.HostServices;
import dev.mooring.storage.spi.host.LinkRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each process notes what it keeps, and all others read it as long as it lives. */
class KeptPlacesTest {
    @TempDir
    Path temp;

    private Path directory() {
        return temp.resolve("run/mooring/places");
    }

    private static List<Path> paths(KeptPlaces places) {
        return KernelMachine.value(places.all()).stream().map(KeptPlace::path).toList();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory())) {
            return files.toList();
        }
    }

    @Test
    void anotherProcessReadsPathKindAndOwner() {
        Path odd = temp.resolve("tab\tline\nback\\slash");
        try (KeptPlaces mine = KeptPlaces.in(directory())) {
            KernelMachine.value(mine.keep("mooring standalone", Map.of(odd, "keys and tokens")));

            assertThat(KernelMachine.value(KeptPlaces.in(directory()).all()))
                    .extracting(KeptPlace::path, KeptPlace::kind, KeptPlace::owner)
                    .containsExactlyInAnyOrder(
                            tuple(directory(), "notes of kept places", "Mooring"),
                            tuple(
                                    odd,
                                    "keys and tokens",
                                    "mooring standalone (process "
                                            + ProcessHandle.current().pid() + ")"));
        }
    }

    @Test
    void allUsersMayReadAndOnlyTheOwnerWrite() throws IOException {
        try (KeptPlaces mine = KeptPlaces.in(directory())) {
            KernelMachine.value(mine.keep("mooring node", Map.of(temp.resolve("data"), "data")));

            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory())))
                    .isEqualTo("rwxr-xr-x");
            assertThat(files())
                    .singleElement()
                    .satisfies(file -> assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                            .isEqualTo("rw-r--r--"));
        }
    }

    @Test
    void whatIsTakenBackIsKeptNoLonger() throws IOException {
        KeptPlaces mine = KeptPlaces.in(directory());
        KernelMachine.value(mine.keep("mooring node", Map.of(temp.resolve("data"), "data")));
        KernelMachine.value(mine.keep("mooring node", Map.of(temp.resolve("more"), "data")));
        assertThat(paths(mine)).contains(temp.resolve("data"), temp.resolve("more"));

        mine.close();

        assertThat(files()).isEmpty();
        assertThat(paths(mine)).containsExactly(directory());
    }

    @Test
    void theNotesOfAProcessThatHasEndedAreDropped() throws IOException {
        Files.createDirectories(directory());
        long pid = ProcessHandle.current().pid();
        ProcessIdentity ended = new ProcessIdentity(pid, PlacesFile.here().started() - 1);
        KeptPlace old = new KeptPlace(temp.resolve("old"), "data", "mooring node (process " + pid + ")", false);
        String text = PlacesFile.of(ended, List.of(old)).text();
        Files.writeString(directory().resolve(pid + "-1-0"), text);

        assertThat(paths(KeptPlaces.in(directory()))).containsExactly(directory());
        assertThat(files()).isEmpty();
    }

    /** Of processes that were killed, and were started again and again without publishing anything. */
    @Test
    void theNotesOfProcessesThatHaveEndedAreDroppedByTheNextProcess() throws IOException {
        Files.createDirectories(directory());
        long pid = ProcessHandle.current().pid();
        for (int i = 1; i <= 20; i++) {
            ProcessIdentity ended = new ProcessIdentity(pid, PlacesFile.here().started() - i);
            KeptPlace old = new KeptPlace(temp.resolve("old"), "data", "mooring node (process " + pid + ")", false);
            String hidden = i % 2 == 0 ? "." : ""; // cut off before it had its name
            Files.writeString(
                    directory().resolve(hidden + pid + "-" + i + "-0"),
                    PlacesFile.of(ended, List.of(old)).text());
        }
        try (KeptPlaces mine = KeptPlaces.in(directory())) {
            KernelMachine.value(mine.keep("mooring node", Map.of(temp.resolve("data"), "data")));
            assertThat(files()).hasSize(1);
        }
    }

    @Test
    void theNotesOfAnEarlierBootAreDropped() {
        ProcessIdentity here = PlacesFile.here();

        assertThat(new PlacesFile("another boot", "", Optional.of(here), List.of()).isStale())
                .isTrue();
    }

    @Test
    void theNotesOfAContainerWithItsOwnNumbersAreNeverDropped() {
        ProcessIdentity unknown = new ProcessIdentity(1, 0);

        assertThat(new PlacesFile(ProcessIdentity.boot(), "pid:[1]", Optional.of(unknown), List.of()).isStale())
                .isFalse();
    }

    @Test
    void whereItCannotBeWrittenItSaysSoAndTheProcessStillKnowsItsOwn() throws IOException {
        Path file = Files.createFile(temp.resolve("file"));
        KeptPlaces mine = KeptPlaces.in(file.resolve("places"));

        var outcome = mine.keep("mooring controller", Map.of(temp.resolve("data"), "data"));

        assertThat(outcome.message())
                .contains("the places of mooring controller cannot be noted in " + file.resolve("places"))
                .contains("Make the directory writable");
        assertThat(paths(mine)).contains(temp.resolve("data"));
    }

    @Test
    void aPlaceIsFoundByItsIdentityWhateverLeadsToIt() throws Exception {
        try (KernelMachine machine = new KernelMachine();
                KeptPlaces places = KeptPlaces.in(machine.base.resolve("places"))) {
            Path data = machine.directory("data");
            Path link = Files.createSymbolicLink(machine.base.resolve("link"), data);
            KernelMachine.value(
                    places.keep("mooring node", Map.of(link, "data", machine.base.resolve("not/yet/made"), "backups")));

            List<FoundPlace> found = KernelMachine.value(new PlaceFinder(
                            machine.kernel,
                            new LinuxHostLayout(machine.base.resolve("state"), machine.base.resolve("orphans"), places))
                    .existing());

            assertThat(found)
                    .filteredOn(each -> each.place().path().equals(link))
                    .singleElement()
                    .satisfies(each -> {
                        assertThat(each.real()).isEqualTo(data);
                        assertThat(each.status().inode()).isEqualTo(Files.getAttribute(data, "unix:ino"));
                    });
            assertThat(found).noneMatch(each -> each.place().kind().equals("backups"));
        }
    }

    @Test
    void aPluginMakesItsStateOnANewMachineAndNothingElseThere() throws IOException {
        PluginName plugin = new PluginName("kubernetes.io/nfs");
        try (KernelMachine machine = new KernelMachine();
                KeptPlaces places = KeptPlaces.in(machine.base.resolve("places"))) {
            Path data = machine.base.resolve("data");
            Path state = data.resolve("state");
            KernelMachine.value(places.keep("mooring node", Map.of(data, "data", data.resolve("access"), "keys")));
            HostServices services = LinuxHost.ofThisMachine(
                            new LinuxHostLayout(state, machine.base.resolve("orphans"), places))
                    .orElseThrow()
                    .forPlugin(plugin, List.of());

            for (Path path : List.of(data, state, data.resolve("access/token"), data.resolve("other"))) {
                assertThat(KernelMachine.kindOf(
                                services.files().openOrMake(path, LinkRule.REFUSE, FileKind.DIRECTORY, 0700)))
                        .as(path.toString())
                        .isEqualTo("DENIED");
            }
            Path own = KernelMachine.value(services.stateDirectory(plugin)).resolve("work");
            KernelMachine.value(services.files().openOrMake(own, LinkRule.REFUSE, FileKind.DIRECTORY, 0700))
                    .path()
                    .close();
            assertThat(own).isDirectory();
            assertThat(data).isDirectoryNotContaining("glob:**/{access,other}");
        }
    }
}
