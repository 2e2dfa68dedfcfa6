// SPDX-License-Identifier: Apache-2.0
package dev.mooring.plugin.nfs;

import static dev.mooring.plugin.nfs.Calls.answer;
import static dev.mooring.plugin.nfs.Calls.claim;
import static dev.mooring.plugin.nfs.Calls.made;
import static dev.mooring.plugin.nfs.Calls.value;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.NfsSource;
import dev.mooring.storage.model.Quantity;
import dev.mooring.storage.spi.Nothing;
import dev.mooring.storage.spi.Outcome;
import dev.mooring.storage.spi.PluginState;
import dev.mooring.storage.spi.ProvisionRequest;
import dev.mooring.storage.spi.VolumeSpec;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Emptying, making and deleting against the kernel's own NFS server. */
@Tag("guest")
class KernelReclaimTest {
    @ParameterizedTest
    @ValueSource(strings = {"vers=3,nolock", "vers=4.2"})
    void n16_scrubEmptiesEverythingAndNothingElse(String options) throws IOException {
        try (NfsNode guest = new NfsNode()) {
            Path export = guest.exported("n16");
            Path neighbour = guest.exported("n16b");
            Files.writeString(neighbour.resolve("file"), "content");
            Files.writeString(export.resolve(".hidden"), "x");
            Files.createSymbolicLink(export.resolve("link"), neighbour);
            Files.createLink(export.resolve("hard"), neighbour.resolve("file"));
            NfsNode.run("mkfifo", export.resolve("fifo").toString());
            NfsNode.directory(export.resolve(".snapshot"));
            Path deep = export;
            for (int i = 0; i < 140; i++) {
                deep = deep.resolve("d");
            }
            Files.writeString(NfsNode.directory(deep).resolve("f"), "x");

            value(guest.recycle(NfsNode.volume(export, options.split(","))));
            assertThat(export.toFile().list()).containsExactly(".snapshot");
            assertThat(neighbour.resolve("file")).hasContent("content");
            assertThat(guest.mounts()).isEmpty();
        }
    }

    @Test
    void n17_whatIsPublishedHereOrHoldsAnotherExportIsNotScrubbed() throws IOException {
        try (NfsNode guest = new NfsNode()) {
            Path export = guest.exported("n17");
            Path inner = NfsNode.directory(export.resolve("inner"));
            Files.writeString(inner.resolve("file"), "content");
            value(guest.publish(NfsNode.volume(inner, "vers=4.2"), "t"));
            assertThat(answer(guest.recycle(NfsNode.volume(export, "vers=4.2"))))
                    .isEqualTo("IN_USE");
            // another name of the same server is no hiding place
            VolumeSpec renamed = Calls.volume(Calls.source("localhost", export.toString()), "vers=4.2", "proto=tcp");
            assertThat(answer(guest.recycle(renamed))).isEqualTo("IN_USE");
            value(guest.unpublish(NfsNode.volume(inner), "t", PluginState.NONE));
            assertThat(inner.resolve("file")).hasContent("content");

            NfsNode.run("mount", "-t", "tmpfs", "tmpfs", inner.toString());
            NfsNode.run("exportfs", "-o", "rw,insecure,no_root_squash,no_subtree_check,fsid=778,nohide", "*:" + inner);
            try {
                Files.writeString(inner.resolve("nested"), "content");
                for (String version : new String[] {"3", "4.2"}) {
                    Outcome<Nothing> answer = guest.recycle(NfsNode.volume(export, "vers=" + version, "nolock"));
                    // the server itself may be the one who refuses
                    assertThat(answer(answer)).as(answer::toString).isIn("IN_USE", "DENIED");
                }
                assertThat(inner.resolve("nested")).hasContent("content");
            } finally {
                NfsNode.run("exportfs", "-u", "*:" + inner);
                NfsNode.run("umount", "-l", inner.toString());
            }
            assertThat(guest.mounts()).isEmpty();
        }
    }

    @Test
    void n18_aSquashedRootIsDeniedAndNothingIsReportedAsDone() throws IOException {
        try (NfsNode guest = new NfsNode()) {
            Path squashed = guest.exported("squashed");
            NfsNode.run("mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", squashed.toString());
            NfsNode.run("exportfs", "-o", "rw,insecure,root_squash,no_subtree_check,fsid=779", "*:" + squashed);
            try {
                Files.writeString(squashed.resolve("file"), "content");
                Outcome<Nothing> answer = guest.recycle(NfsNode.volume(squashed, "vers=3", "nolock"));
                assertThat(answer(answer)).isEqualTo("DENIED");
                assertThat(answer.message()).contains("file").contains("squash root");
                assertThat(squashed.resolve("file")).hasContent("content");
                Outcome<?> provisioned = guest.provision(claim("n18", parameters(squashed)));
                assertThat(answer(provisioned)).as(provisioned::toString).isEqualTo("DENIED");
            } finally {
                NfsNode.run("exportfs", "-u", "*:" + squashed);
                NfsNode.run("umount", "-l", squashed.toString());
            }
        }
    }

    @Test
    void n21_aPlaceBelongsToOneClaimUnlessItIsShared() throws IOException {
        try (NfsNode guest = new NfsNode()) {
            Path share = guest.exported("n21");
            Map<String, String> own = parameters(share, "pathPattern", "a/fixed");
            ProvisionRequest first = claim("one", own);
            VolumeSpec volume = made(first, value(guest.provision(first)));
            assertThat(NfsSource.of(volume.source()).orElseThrow().path()).isEqualTo(share + "/a/fixed");
            assertThat(made(first, value(guest.provision(first)))).isEqualTo(volume);
            assertThat(answer(guest.provision(claim("two", own)))).isEqualTo("INCOMPATIBLE");
            Files.writeString(share.resolve("a/fixed/file"), "x");
            value(guest.delete(volume));
            assertThat(share.resolve("a")).doesNotExist();
            value(guest.delete(volume));

            Map<String, String> shared = parameters(share, "pathPattern", "both", "shared", "true");
            VolumeSpec one = made(claim("one", shared), value(guest.provision(claim("one", shared))));
            Files.writeString(share.resolve("both/file"), "content");
            VolumeSpec two = made(claim("two", shared), value(guest.provision(claim("two", shared))));
            value(guest.delete(one));
            assertThat(share.resolve("both/file")).hasContent("content");
            value(guest.delete(two));
            assertThat(share.resolve("both")).doesNotExist();
            assertThat(share.resolve(".mooring/volumes")).isEmptyDirectory();
            assertThat(share.resolve(".mooring/places")).isEmptyDirectory();
            assertThat(share.resolve(".mooring/trash")).isEmptyDirectory();
        }
    }

    @Test
    void n23_onlyWhatTheLedgerProvesIsDeleted() throws IOException {
        try (NfsNode guest = new NfsNode()) {
            Path share = guest.exported("n23");
            ProvisionRequest request = claim("one", parameters(share));
            VolumeSpec volume = made(request, value(guest.provision(request)));
            Path directory = share.resolve("ns-one-pvc-uid-one");
            Files.move(directory, share.resolve("elsewhere"));
            Files.writeString(NfsNode.directory(directory).resolve("file"), "content");
            assertThat(answer(guest.delete(volume))).isEqualTo("CORRUPT");
            assertThat(directory.resolve("file")).hasContent("content");
            // a volume that a user made by hand, and one that says so but is not in the ledger
            assertThat(answer(guest.delete(NfsNode.volume(directory)))).isEqualTo("DENIED");
            VolumeSpec forged = Calls.withAnnotations(NfsNode.volume(directory), volume.annotations());
            assertThat(answer(guest.delete(forged))).isEqualTo("DENIED");
            assertThat(directory.resolve("file")).hasContent("content");
        }
    }

    @Test
    void n24_whatBecomesOfItIsDecidedWhenItIsMade() throws IOException {
        try (NfsNode guest = new NfsNode()) {
            Path share = guest.exported("n24");
            ProvisionRequest request = claim("one", parameters(share, "onDelete", "archive"));
            VolumeSpec volume = made(request, value(guest.provision(request)));
            Files.writeString(share.resolve("ns-one-pvc-uid-one/file"), "content");
            value(guest.delete(volume));
            Path archived = share.resolve("archived-ns-one-pvc-uid-one-pv-uid-o");
            assertThat(archived.resolve("file")).hasContent("content");
            value(guest.delete(volume));
            assertThat(archived.resolve("file")).hasContent("content");
        }
    }

    /** On XFS, which binds root too. The mount on which the pod writes belongs to the same file system, over NFS. */
    @Test
    void n26_theProjectQuotaIsEnforcedAndExpanded() throws IOException {
        try (NfsNode guest = new NfsNode()) {
            Path share = guest.exported("n26");
            Path disk = guest.base.resolve("disk");
            NfsNode.run("truncate", "-s", "400M", disk.toString());
            NfsNode.run("mkfs.xfs", "-q", disk.toString());
            NfsNode.run("mount", "-o", "loop,prjquota", disk.toString(), share.toString());
            NfsNode.run("exportfs", "-o", "rw,insecure,no_root_squash,no_subtree_check,fsid=781", "*:" + share);
            try {
                ProvisionRequest request = Calls.withSize(claim("one", parameters(share, "quota", "project")), "16Mi");
                VolumeSpec volume = made(request, value(guest.provision(request)));
                assertThat(volume.annotations()).containsEntry("mooring.dev/capacity-enforced", "true");
                assertThat(made(request, value(guest.provision(request)))).isEqualTo(volume);
                VolumeSpec pods = Calls.withAnnotations(volume, volume.annotations());
                PluginState state = value(guest.publish(pods, "t"));
                Path target = guest.target("t");
                Files.write(target.resolve("first"), new byte[12 << 20]);
                assertThat(fits(target.resolve("second"), 12 << 20)).isFalse();

                assertThat(value(guest.expand(volume, "32Mi"))).isEqualTo(Quantity.parse("32Mi"));
                assertThat(value(guest.expand(volume, "20Mi")))
                        .as("never smaller")
                        .isEqualTo(Quantity.parse("32Mi"));
                assertThat(fits(target.resolve("second"), 12 << 20)).isTrue();
                assertThat(fits(target.resolve("third"), 12 << 20)).isFalse();

                value(guest.unpublish(pods, "t", state));
                value(guest.delete(volume));
                assertThat(share.toFile().list()).containsExactly(".mooring");
                assertThat(NfsNode.run("xfs_quota", "-x", "-c", "report -p -N", share.toString()))
                        .as("no limit is left behind")
                        .doesNotContainPattern("#[1-9]");
            } finally {
                NfsNode.run("exportfs", "-u", "*:" + share);
                NfsNode.run("umount", "-l", share.toString());
            }
        }
    }

    @Test
    void n26_aShareThatCountsNothingOrIsElsewhereIsRefusedAndNothingIsLeft() {
        try (NfsNode guest = new NfsNode()) {
            Path share = guest.exported("n26-plain");
            Outcome<?> answer = guest.provision(claim("one", parameters(share, "quota", "project")));
            assertThat(answer(answer)).as(answer::toString).isEqualTo("UNSUPPORTED");
            assertThat(share.toFile().list()).containsExactly(".mooring");
            assertThat(share.resolve(".mooring/volumes")).isEmptyDirectory();
            assertThat(share.resolve(".mooring/places")).isEmptyDirectory();
        }
    }

    private static boolean fits(Path file, int bytes) {
        try (FileOutputStream out = new FileOutputStream(file.toFile())) {
            out.write(new byte[bytes]);
            out.getFD().sync();
            return true;
        } catch (IOException full) {
            file.toFile().delete();
            return false;
        }
    }

    private static Map<String, String> parameters(Path share, String... more) {
        Map<String, String> all = new TreeMap<>(Map.of("server", NfsNode.SERVER, "share", share.toString()));
        for (int i = 0; i < more.length; i += 2) {
            all.put(more[i], more[i + 1]);
        }
        return all;
    }
}
