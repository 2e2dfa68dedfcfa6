// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.document.Document;
import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Creates volumes and claims, so that the controllers have a binding under way when the server is killed. */
final class KillPairs {
    private static final String VOLUMES = "/api/v1/persistentvolumes";
    private static final String CLAIMS = "/api/v1/namespaces/default/persistentvolumeclaims";
    private static final int CONFLICT = 409;

    private final Revisions revisions;
    private int volumes;
    private int claims;

    KillPairs(Revisions revisions) {
        this.revisions = revisions;
    }

    void write(ProgramClient client) {
        try {
            while (true) {
                create(client, VOLUMES, """
                        {"metadata":{"name":"pair-%d"},"spec":{"capacity":{"storage":"1Gi"},"accessModes":["ReadWriteOnce"],
                        "storageClassName":"manual","nfs":{"server":"nfs.invalid","path":"/%d"}}}""", volumes);
                volumes++;
                create(client, CLAIMS, """
                        {"metadata":{"name":"pair-%d"},"spec":{"accessModes":["ReadWriteOnce"],"storageClassName":"manual",
                        "resources":{"requests":{"storage":"1Gi"}}}}""", claims);
                claims++;
            }
        } catch (IOException e) {
            // The server is gone.
        }
    }

    /** What a kill left without an answer is there already, or is made now. */
    private void create(ProgramClient client, String path, String body, int number) throws IOException {
        ProgramClient.Reply reply = client.json("POST", path, body.formatted(number, number));
        if (reply.status() / 100 != 2 && reply.status() != CONFLICT) {
            revisions.problem("a pair was answered with " + reply.body());
        }
    }

    /** All that were acknowledged are bound, in the end; two claims never have one volume. Answers how many there are. */
    int checkAtTheEnd(ProgramClient client) throws Exception {
        for (int i = 0; i < 2_400; i++) {
            long bound = bound(client);
            if (bound >= Math.min(volumes, claims)) {
                break;
            }
            TimeUnit.MILLISECONDS.sleep(100); // the server works; there is nothing to wait for but time
        }
        Document list = client.get(CLAIMS).body();
        assertThat(ProgramClient.items(list)).hasSizeGreaterThanOrEqualTo(claims);
        assertThat(bound(client)).isGreaterThanOrEqualTo(Math.min(volumes, claims));
        assertThat(ProgramClient.items(list).stream()
                        .flatMap(each -> each.text("spec", "volumeName").stream())
                        .filter(each -> !each.isEmpty()))
                .doesNotHaveDuplicates();
        return claims;
    }

    private static long bound(ProgramClient client) throws IOException {
        return ProgramClient.items(client.get(CLAIMS).body()).stream()
                .filter(each -> each.text("status", "phase").orElse("").equals("Bound"))
                .count();
    }
}
