// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import static dev.mooring.plugin.nfs.Calls.answer;
import static dev.mooring.plugin.nfs.Calls.claim;
import static dev.mooring.plugin.nfs.Calls.made;
import static dev.mooring.plugin.nfs.Calls.source;
import static dev.mooring.plugin.nfs.Calls.value;
import static dev.mooring.plugin.nfs.Calls.volume;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.AccessMode;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.model.VolumeMode;
import dev.mooring.storage.spi.Attaching;
import dev.mooring.storage.spi.NodeRef;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.PublishRequest.Occasion;
import dev.mooring.storage.spi.VolumeId;
import dev.mooring.storage.spi.VolumeSpec;
import dev.mooring.storage.spi.VolumeTemplate;
import dev.mooring.storage.spi.host.HostServices;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReclaimTest {
    private static final ProvisionRequest BELOW = claim("one", parameters("subDir", "a/b/one"));

    private final FakeHost host = new FakeHost();
    private final NfsPlugin plugin =
            new NfsPlugin(NfsSettings.DEFAULT, Connector.NONE, (context, time) -> host.clock.pass(time));
    private final Path share = host.export("/srv");

    @AfterEach
    void close() {
        host.close();
    }

    private Calls.Context context(HostServices services) {
        return new Calls.Context(
                services, host.clock, host.clock.instant().plusSeconds(300), new AtomicReference<>(PluginState.NONE));
    }

    private static Map<String, String> parameters(String... more) {
        Map<String, String> all = new TreeMap<>(Map.of("server", "server", "share", "/srv"));
        for (int i = 0; i < more.length; i += 2) {
            all.put(more[i], more[i + 1]);
        }
        return all;
    }

    private Outcome<VolumeTemplate> provision(HostServices services, ProvisionRequest request) {
        return plugin.plan(request).then(plan -> plugin.provision(context(services), request, plan));
    }

    private VolumeSpec provisioned(ProvisionRequest request) {
        return made(request, value(provision(host, request)));
    }

    private Outcome<Nothing> delete(VolumeSpec volume) {
        return plugin.delete(context(host), volume);
    }

    private static Path write(Path file) {
        try {
            Files.createDirectories(file.getParent());
            return Files.writeString(file, "content");
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<String> names(Path directory) {
        String[] names = directory.toFile().list();
        return names == null
                ? List.of("(absent)")
                : Arrays.stream(names).sorted().toList();
    }

    // ---- recycling ----

    @Test
    void n16_scrubGoesThroughAPrivateMountThatGivesUp() {
        write(share.resolve("a/b"));
        write(share.resolve(".hidden"));
        write(share.resolve(".snapshot/old"));
        write(share.resolve("lost+found/piece"));
        value(plugin.recycle(context(host), volume(source("server", "/srv"), "vers=4.2", "hard", "ro")));
        assertThat(names(share)).containsExactly(".snapshot", "lost+found");
        assertThat(names(share.resolve("lost+found"))).isEmpty();
        assertThat(share.resolve(".snapshot/old")).exists();
        assertThat(host.table).isEmpty();
        assertThat(host.commands)
                .singleElement()
                .asString()
                .endsWith("-o vers=4.2,soft,timeo=100,retrans=3,nosuid,nodev,noexec,retry=0");
        assertThat(names(host.base.resolve("state/nfs/work"))).isEmpty();
    }

    @Test
    void n17_scrubIsRefusedWhereItOrAPartOrTheWholeIsMounted() {
        Path file = write(share.resolve("a/file"));
        String[][] published = {
            {"server", "/srv/a"},
            {"server", "/srv/a/b"},
            {"server", "/srv"},
            {"alias", "/srv/a"},
            {"SERVER.", "/srv/a/"}
        };
        host.export("/srv/a/b");
        for (String[] other : published) {
            VolumeSpec spec = volume(source(other[0], other[1]));
            PluginState state = value(
                    plugin.publish(context(host), Calls.request(spec, host.target("t"), false, Occasion.INITIAL)));
            assertThat(answer(plugin.recycle(context(host), volume(source("server", "/srv/a")))))
                    .as(String.join(":", other))
                    .isEqualTo("IN_USE");
            value(plugin.unpublish(context(host), plugin.identify(spec.source()), Calls.POD, host.target("t"), state));
        }
        assertThat(file).hasContent("content");
        value(plugin.recycle(context(host), volume(source("server", "/srv/a"))));
        assertThat(file).doesNotExist();
    }

    @Test
    void n17_openFilesPutItOff() {
        write(share.resolve(".nfs0001"));
        Outcome<dev.mooring.storage.spi.host.EmptiedTree> refused =
                Outcome.refused(dev.mooring.storage.spi.Refusal.IN_USE, "a mount inside: .nfs0001");
        assertThat(answer(NfsRecycler.explained(refused))).isEqualTo("deferred");
    }

    @Test
    void n18_aDenialSaysWhatMayBeTheCause() {
        Outcome<dev.mooring.storage.spi.host.EmptiedTree> denied =
                Outcome.refused(dev.mooring.storage.spi.Refusal.DENIED, "could not remove a");
        assertThat(NfsRecycler.explained(denied).message())
                .contains("could not remove a")
                .contains("squash root");
    }

    @Test
    void n19_scrubConvergesWhereverItDies() {
        VolumeSpec volume = volume(source("server", "/srv"));
        int deaths = converge(
                () -> {
                    write(share.resolve("a/b"));
                    write(share.resolve("c"));
                },
                services -> plugin.recycle(context(services), volume),
                () -> {
                    assertThat(names(share)).isEmpty();
                    assertThat(host.table).isEmpty();
                });
        assertThat(deaths).isGreaterThanOrEqualTo(4);
    }

    /** Lets the process die after each of its changes; what is called again has to end as if nothing had happened. */
    private int converge(Runnable prepare, Function<HostServices, Outcome<?>> call, Runnable check) {
        for (int changes = 1; ; changes++) {
            prepare.run();
            boolean died = false;
            try {
                value(call.apply(Crashing.after(changes, host)));
            } catch (Crashing.Death dead) {
                died = true;
                value(call.apply(host));
            }
            check.run();
            if (!died) {
                return changes - 1;
            }
        }
    }

    @Test
    void onlyAVolumeObjectIsRecycled() {
        VolumeSpec inline = new VolumeSpec(
                "vol",
                "",
                source("server", "/srv"),
                List.of(),
                VolumeMode.FILESYSTEM,
                Quantity.parse("1Gi"),
                List.of(),
                Map.of());
        assertThat(answer(plugin.recycle(context(host), inline))).isEqualTo("INVALID");
    }

    // ---- provisioning and deleting ----

    @Test
    void makesADirectoryWithExactlyTheModeAndGroup() throws IOException {
        VolumeSpec volume = provisioned(claim("one", parameters("gid", "4711", "mountPermissions", "0750")));
        Path directory = share.resolve("ns-one-pvc-uid-one");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(directory)))
                .isEqualTo("rwxr-x---");
        assertThat(Files.getAttribute(directory, "unix:gid")).isEqualTo(4711);
        assertThat(volume.annotations()).containsEntry("pv.beta.kubernetes.io/gid", "4711");
        assertThat(host.table).isEmpty();
        assertThat(value(plugin.expand(context(host), volume, Quantity.parse("5Gi")))
                        .nodeExpansionRequired())
                .isFalse();
    }

    @Test
    void onlyWhatWasMadeHereIsMadeLarger() {
        VolumeSpec made = provisioned(claim("one", parameters()));
        VolumeSpec offered = new VolumeSpec(
                made.name(),
                made.uid(),
                made.source(),
                made.accessModes(),
                made.mode(),
                made.capacity(),
                made.mountOptions(),
                Map.of());
        assertThat(plugin.expands(made)).isTrue();
        assertThat(plugin.expands(offered)).isFalse();
    }

    @Test
    void onlyAVolumeOfAnExclusiveClassTakesTheSlotOfItsStorage() {
        VolumeSpec exclusive = provisioned(claim("one", parameters("exclusive", "true")));
        VolumeSpec usual = provisioned(claim("two", parameters("exclusive", "false")));
        assertThat(plugin.requiresAttach(exclusive)).isTrue();
        assertThat(plugin.exclusive(exclusive)).isTrue();
        assertThat(plugin.requiresAttach(usual)).isFalse();
        assertThat(plugin.exclusive(usual)).isFalse();
        // the scheduler keeps the other pods away, and upstream attaches nothing
        assertThat(plugin.requiresAttach(Calls.withModes(usual, AccessMode.READ_WRITE_ONCE_POD)))
                .isFalse();
        NodeRef node = new NodeRef("node-1", "node-uid-1");
        VolumeId id = plugin.identify(exclusive.source());
        assertThat(value(plugin.attach(context(host), exclusive, node))).isEmpty();
        assertThat(plugin.observe(context(host), node, Set.of(id))).isEqualTo(Map.of(id, Attaching.State.UNKNOWN));
        value(plugin.detach(context(host), id, node));
    }

    @Test
    void n21_aPlaceThatIsTakenIsNotGivenAway() {
        write(share.resolve("old/file"));
        assertThat(answer(provision(host, claim("one", parameters("subDir", "old")))))
                .isEqualTo("INCOMPATIBLE");
        provisioned(claim("one", parameters("subDir", "mine")));
        assertThat(answer(provision(host, claim("two", parameters("subDir", "mine")))))
                .isEqualTo("INCOMPATIBLE");
        assertThat(answer(provision(host, claim("two", parameters("subDir", "mine", "shared", "true")))))
                .isEqualTo("INCOMPATIBLE");
        // neither in another volume nor around one
        assertThat(answer(provision(host, claim("two", parameters("subDir", "mine/inner")))))
                .isEqualTo("INCOMPATIBLE");
        provisioned(claim("three", parameters("subDir", "outer/inner")));
        assertThat(answer(provision(host, claim("four", parameters("subDir", "outer")))))
                .isEqualTo("INCOMPATIBLE");
        // a refusal leaves nothing behind
        assertThat(names(share.resolve(".mooring/volumes"))).containsExactly("pvc-uid-one.json", "pvc-uid-three.json");
        assertThat(names(share.resolve(".mooring/places"))).hasSize(3);
    }

    @Test
    void n21_whoSharesADirectoryLosesNothingWhenTheOtherGoes() {
        Map<String, String> shared = parameters("subDir", "both", "shared", "true");
        VolumeSpec one = provisioned(claim("one", shared));
        Path file = write(share.resolve("both/file"));
        VolumeSpec two = provisioned(claim("two", shared));
        assertThat(file).hasContent("content");
        value(delete(one));
        assertThat(file).hasContent("content");
        value(delete(two));
        assertThat(names(share)).containsExactly(".mooring");
    }

    @ParameterizedTest
    @EnumSource(OnDelete.class)
    void n22_makingAndDeletingConvergeWhereverTheyDie(OnDelete onDelete) {
        ProvisionRequest request =
                claim("one", parameters("subDir", "a/b/one", "onDelete", onDelete.text(), "gid", "7"));
        int[] round = new int[1];
        int deaths = converge(() -> round[0]++, services -> provision(services, request), () -> {
            assertThat(names(share.resolve("a/b"))).contains("one");
            assertThat(names(share.resolve(".mooring/volumes"))).containsExactly("pvc-uid-one.json");
            value(delete(made(request, value(provision(host, request)))));
            wipe();
        });
        assertThat(deaths).isGreaterThanOrEqualTo(12);

        deaths = converge(
                () -> write(provisionedAt(request).resolve("file")),
                services -> plugin.delete(context(services), made(request, value(plugin.plan(request)))),
                () -> {
                    Path file = switch (onDelete) {
                        case DELETE -> share.resolve("nothing");
                        case RETAIN -> share.resolve("a/b/one/file");
                        case ARCHIVE -> share.resolve("a/b/archived-one-pv-uid-o/file");
                    };
                    assertThat(Files.exists(file)).isEqualTo(onDelete != OnDelete.DELETE);
                    assertThat(names(share.resolve(".mooring/volumes"))).isEmpty();
                    assertThat(names(share.resolve(".mooring/trash"))).isEmpty();
                    if (onDelete == OnDelete.DELETE) {
                        assertThat(names(share)).containsExactly(".mooring");
                        assertThat(names(share.resolve(".mooring/places"))).isEmpty();
                    }
                    assertThat(host.table).isEmpty();
                    value(delete(made(request, value(plugin.plan(request)))));
                    wipe();
                });
        assertThat(deaths).isGreaterThanOrEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a/b", "a/b/one"})
    void n22_anAttemptThatWasOvertakenIsRefusedAndLeavesNothing(String taken) {
        ProvisionRequest two = claim("two", parameters("subDir", taken));
        int times = overtaken(BELOW, two, () -> {}, () -> {
            Path file = write(share.resolve("a/b/one/file"));
            assertThat(answer(provision(host, BELOW))).isEqualTo("INCOMPATIBLE");
            assertThat(names(share.resolve(".mooring/volumes"))).containsExactly("pvc-uid-two.json");
            assertThat(file).hasContent("content");
        });
        assertThat(times).isPositive();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a/b", "a/b/one"})
    void n23_clearingUpAfterAnAttemptThatWasOvertakenTouchesNothingInTheOthersVolume(String taken) {
        ProvisionRequest two = claim("two", parameters("subDir", taken));
        for (boolean empty : new boolean[] {true, false}) {
            int times = overtaken(BELOW, two, () -> {}, () -> {
                Path pods = empty ? directory("a/b/one") : write(share.resolve("a/b/one/file"));
                value(delete(made(BELOW, value(plugin.plan(BELOW)))));
                assertThat(pods).exists();
                assertThat(names(share.resolve(".mooring/volumes"))).containsExactly("pvc-uid-two.json");
                value(provision(host, two));
            });
            assertThat(times).isPositive();
        }
    }

    @Test
    void n23_whatIsInThePlaceOfAnAttemptThatHadNotNotedItIsNotTakenAway() {
        int changes = 1;
        while (!share.resolve(".mooring/volumes/pvc-uid-one.json").toFile().exists()) {
            assertThat(diesAfter(changes++, BELOW)).isTrue();
        }
        assertThat(names(share.resolve(".mooring/places"))).isEmpty();
        Path theirs = directory("a/b/one");
        value(delete(made(BELOW, value(plugin.plan(BELOW)))));
        assertThat(theirs).exists();
        assertThat(names(share.resolve(".mooring/volumes"))).isEmpty();
    }

    /** What was there before is not noted as a parent, so a claim may take it while something is begun below it. */
    @Test
    void n25_aParentThatTurnsOutToLieInTheOthersVolumeStaysThere() {
        ProvisionRequest two = claim("two", parameters("subDir", "a"));
        List<Runnable> ends = List.of(
                () -> assertThat(answer(provision(host, BELOW))).isEqualTo("INCOMPATIBLE"),
                () -> value(delete(made(BELOW, value(plugin.plan(BELOW))))));
        for (Runnable end : ends) {
            List<Integer> places = new ArrayList<>();
            overtaken(BELOW, two, () -> directory("a"), () -> {
                places.add(names(share.resolve(".mooring/places")).size());
                directory("a/b");
                end.run();
                assertThat(share.resolve("a/b")).exists();
                assertThat(names(share.resolve(".mooring/places"))).hasSize(1);
            });
            assertThat(places).contains(3);
        }
    }

    private Path directory(String path) {
        try {
            return Files.createDirectories(share.resolve(path));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /**
     * Lets the first claim's attempt die after each of its changes. Where the second claim gets its place nevertheless, the first was
     * overtaken.
     *
     * @return how often it was
     */
    private int overtaken(ProvisionRequest first, ProvisionRequest second, Runnable prepare, Runnable check) {
        int times = 0;
        for (int changes = 1; ; changes++) {
            prepare.run();
            if (!diesAfter(changes, first)) {
                wipe();
                return times;
            }
            boolean begun = names(share.resolve(".mooring/volumes")).contains(first.volumeName() + ".json");
            if (provision(host, second).isDone() && begun) {
                times++;
                check.run();
                value(delete(made(second, value(plugin.plan(second)))));
                assertThat(names(share)).containsExactly(".mooring");
                assertThat(names(share.resolve(".mooring/places"))).isEmpty();
            }
            wipe();
        }
    }

    private boolean diesAfter(int changes, ProvisionRequest request) {
        try {
            value(provision(Crashing.after(changes, host), request));
            return false;
        } catch (Crashing.Death dead) {
            return true;
        }
    }

    private Path provisionedAt(ProvisionRequest request) {
        provisioned(request);
        return share.resolve("a/b/one");
    }

    /** An administrator tidies up what was kept. */
    private void wipe() {
        value(plugin.recycle(context(host), volume(source("server", "/srv"))));
    }

    @Test
    void n23_anotherDirectoryInThePlaceIsNotDeleted() throws IOException {
        VolumeSpec volume = provisioned(claim("one", parameters()));
        Path directory = share.resolve("ns-one-pvc-uid-one");
        Files.move(directory, share.resolve("moved"));
        Path file = write(directory.resolve("file"));
        assertThat(answer(delete(volume))).isEqualTo("CORRUPT");
        Files.delete(file);
        Files.delete(directory);
        Files.createSymbolicLink(directory, share.resolve("moved"));
        assertThat(answer(delete(volume))).isEqualTo("INCOMPATIBLE");
        assertThat(share.resolve("moved")).exists();
    }

    @Test
    void n23_whatTheLedgerDoesNotProveIsNotDeleted() throws IOException {
        Path file = write(share.resolve("hand/file"));
        VolumeSpec byHand = volume(source("server", "/srv/hand"));
        assertThat(answer(delete(byHand))).isEqualTo("DENIED");
        assertThat(host.commands).isEmpty();
        Map<String, String> says = Map.of("mooring.dev/nfs-share", "server:/srv");
        assertThat(answer(delete(Calls.withAnnotations(byHand, says)))).isEqualTo("DENIED");
        VolumeSpec elsewhere = Calls.withAnnotations(volume(source("other", "/srv/hand")), says);
        assertThat(answer(delete(elsewhere))).isEqualTo("DENIED");
        // an entry of that name for another place
        provisioned(claim("one", parameters()));
        VolumeSpec swapped = new VolumeSpec(
                "pvc-uid-one",
                "uid",
                source("server", "/srv/hand"),
                List.of(),
                VolumeMode.FILESYSTEM,
                Quantity.parse("1Gi"),
                List.of(),
                says);
        assertThat(answer(delete(swapped))).isEqualTo("CORRUPT");
        // a ledger that cannot be read is not taken for none
        Files.writeString(share.resolve(".mooring/volumes/pvc-uid-one.json"), "{");
        assertThat(answer(delete(swapped))).isEqualTo("CORRUPT");
        assertThat(file).hasContent("content");
    }

    @Test
    void n23_aLedgerThatOthersCanWriteProvesNothing() throws IOException {
        VolumeSpec volume = provisioned(claim("one", parameters()));
        Files.setPosixFilePermissions(share.resolve(".mooring"), PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThat(answer(delete(volume))).isEqualTo("DENIED");
        assertThat(share.resolve("ns-one-pvc-uid-one")).exists();
    }

    @ParameterizedTest
    @ValueSource(strings = {".mooring", ".mooring/volumes", ".mooring/places", ".mooring/trash"})
    void n23_aLedgerOfSomebodyElseProvesNothing(String part) throws IOException {
        VolumeSpec volume = provisioned(claim("one", parameters()));
        Files.setAttribute(share.resolve(part), "unix:uid", 1234);

        for (HostServices services : List.of(host, Squashing.of(host))) {
            Outcome<Nothing> deleted = plugin.delete(context(services), volume);
            assertThat(answer(deleted)).as(deleted::toString).isEqualTo("DENIED");
            assertThat(deleted.message()).contains("1234");
        }
        assertThat(answer(provision(host, claim("two", parameters())))).isEqualTo("DENIED");
        assertThat(names(share)).containsExactly(".mooring", "ns-one-pvc-uid-one");
    }

    @Test
    void n23_whereTheServerTakesRootForNobodyTheLedgerIsNobodys() throws IOException {
        VolumeSpec volume = provisioned(claim("one", parameters()));
        // what an attempt that died has left
        Path left = share.resolve(
                ".mooring-owner-" + UUID.nameUUIDFromBytes(volume.name().getBytes(StandardCharsets.UTF_8)));
        Files.createFile(left);
        Files.setAttribute(left, "unix:uid", 1234);

        value(plugin.delete(context(Squashing.of(host)), volume));

        assertThat(names(share)).containsExactly(".mooring");
    }

    @Test
    void n23_whatIsMountedHereIsNotDeleted() {
        VolumeSpec volume = provisioned(claim("one", parameters()));
        PluginState state =
                value(plugin.publish(context(host), Calls.request(volume, host.target("t"), false, Occasion.INITIAL)));
        assertThat(answer(delete(volume))).isEqualTo("IN_USE");
        value(plugin.unpublish(context(host), plugin.identify(volume.source()), Calls.POD, host.target("t"), state));
        value(delete(volume));
    }

    @Test
    void n24_whatTheClassSaysLaterChangesNothing() {
        VolumeSpec volume = provisioned(claim("one", parameters("onDelete", "retain")));
        Path file = write(share.resolve("ns-one-pvc-uid-one/file"));
        Map<String, String> changed = new TreeMap<>(volume.annotations());
        changed.put("mooring.dev/on-delete", "delete");
        value(delete(Calls.withAnnotations(volume, changed)));
        assertThat(file).hasContent("content");
    }

    @Test
    void n24_anArchiveIsNeverWrittenOver() throws IOException {
        VolumeSpec volume = provisioned(claim("one", parameters("subDir", "d", "onDelete", "archive")));
        Path taken = Files.createDirectories(share.resolve("archived-d-pv-uid-o"));
        assertThat(answer(delete(volume))).isEqualTo("IN_USE");
        Files.delete(taken);
        value(delete(volume));
        assertThat(taken).exists();
    }

    @Test
    void n25_onlyParentsOfOurMakingGoAndOnlyWhenEmpty() throws IOException {
        Files.createDirectories(share.resolve("theirs"));
        VolumeSpec one = provisioned(claim("one", parameters("subDir", "theirs/ours/one")));
        VolumeSpec two = provisioned(claim("two", parameters("subDir", "theirs/ours/two")));
        value(delete(one));
        assertThat(share.resolve("theirs/ours/two")).exists();
        Path file = write(share.resolve("theirs/ours/file"));
        value(delete(two));
        assertThat(file).hasContent("content");
        Files.delete(file);
        // whoever comes next finds a directory of our making and takes it away with him
        value(delete(provisioned(claim("three", parameters("subDir", "theirs/ours/three")))));
        assertThat(names(share.resolve("theirs"))).isEmpty();
        assertThat(names(share.resolve(".mooring/places"))).isEmpty();
    }

    @Test
    void aVolumeThatIsBeingDeletedIsNotGivenAway() throws IOException {
        ProvisionRequest request = claim("one", parameters());
        VolumeSpec volume = provisioned(request);
        Path entry = share.resolve(".mooring/volumes/pvc-uid-one.json");
        Files.writeString(entry, Files.readString(entry).replace("READY", "TRASHED"));
        assertThat(answer(provision(host, request))).isEqualTo("IN_USE");
        value(delete(volume));
    }
}
