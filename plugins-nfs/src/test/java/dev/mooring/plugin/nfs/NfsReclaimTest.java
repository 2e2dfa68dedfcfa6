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
import dev.mooring.storage.spi.host.HostServices;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("long")
class NfsReclaimTest extends OneShare {
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

    private Path provisionedAt(ProvisionRequest request) {
        provisioned(request);
        return share.resolve("a/b/one");
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
    void n23_aLedgerOfAnotherUserProvesNothing(String part) throws IOException {
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
    void n23_whereTheServerMapsRootToAnotherUserTheLedgerIsThatUsers() throws IOException {
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
        // the next volume finds a directory that we made and removes it with its own
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

    /** Space is free again only when the directory is empty. */
    @Test
    void aVolumeThatFillsItsShareIsDeletedAtOnce() {
        VolumeSpec volume = provisioned(claim("one", parameters()));
        Path file = write(share.resolve("ns-one-pvc-uid-one/file"));
        Path moved = share.resolve(".mooring/trash/pvc-uid-one/file");
        HostServices full = FullShare.of(host, () -> Files.exists(file) || Files.exists(moved));

        value(plugin.delete(context(full), volume));

        assertThat(names(share)).containsExactly(".mooring");
        assertThat(names(share.resolve(".mooring/volumes"))).isEmpty();
        assertThat(names(share.resolve(".mooring/trash"))).isEmpty();
    }
}
