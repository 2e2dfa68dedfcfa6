// SPDX-License-Identifier: Apache-2.0
package dev.mooring.host.linux;

import dev.mooring.host.linux.support.KernelMachine;
import dev.mooring.storage.spi.host.Mounts;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

/** Everything that is true of mounts is true while the table is followed, and the kernel asked of single mounts, too. */
class FollowedMountsTest extends LinuxMountsTest {
    private MountTableFeed feed;

    @Override
    Mounts mountsOf(KernelMachine here) {
        LinuxMounts mounts = MachineMounts.ofTheirOwn(here);
        // nothing is put right in the background
        feed = KernelMachine.value(mounts.follow(Duration.ofHours(1)));
        return mounts;
    }

    @AfterEach
    void stopFollowing() {
        if (feed != null) {
            feed.close();
        }
    }
}
