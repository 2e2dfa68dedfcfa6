// SPDX-License-Identifier: Apache-2.0
package dev.mooring.runtime.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SidecarLeaseNamesTest {
    @Test
    void aDriversNameIsSpeltWithoutDots() {
        SidecarLeaseNames names = new SidecarLeaseNames("ebs.csi.aws.com");

        assertThat(names.all())
                .containsExactly(
                        "ebs-csi-aws-com",
                        "external-attacher-leader-ebs-csi-aws-com",
                        "external-resizer-ebs-csi-aws-com",
                        "external-snapshotter-leader-ebs-csi-aws-com");
    }

    @Test
    void noNameEndsWithADash() {
        assertThat(new SidecarLeaseNames("disks.").provisioner()).isEqualTo("disks-X");
    }

    @Test
    void namesWithDotsAreSpellingsToo() {
        assertThat(new SidecarLeaseNames("a.b").spellings())
                .contains("a-b", "a.b", "external-resizer-a.b", "external-resizer-a-b")
                .hasSize(8);
    }
}
